"""Figures with an address: one call draws a picture's files, its numbers and its words under one id."""

import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Image, display
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from attnlearn import corpora

FIGURE_MIME = "application/vnd.attnlearn.figure+json"
FOLDER = "figures"
PICTURES = ("svg", "png", "pdf")


def save_figure(figure: Figure, name: str, *, title: str, caption: str, alt: str, data: pd.DataFrame) -> None:
    """Save a figure under its id, and show it with its caption.

    Writes figures/<name>.svg, .png (300 dpi), .pdf, .csv (the numbers drawn) and .json (the words) in the working
    directory. The build gives it its place in the chapter and its permanent page.

    Args:
        figure: the matplotlib figure; closed afterwards.
        name: the figure's id: its claim's, with a suffix where a claim has several.
        title: the finding in a few words; drawn above the picture.
        caption: the finding in a sentence or two of Markdown, numbers formatted from the run.
        alt: what is drawn, on what axes, and what it shows, for those who cannot see it.
        data: the numbers drawn, one column each; it holds every number that a line, dot or band shows.

    Raises:
        ValueError: an empty title, caption or alt text; a picture that draws numbers which `data` does not hold.
    """
    for what, text in {"title": title, "caption": caption, "alt text": alt}.items():
        if not text.strip():
            raise ValueError(f"figure {name} has no {what}")
    missing = _drawn_numbers(figure)
    missing = missing[~np.isin(missing, data.select_dtypes("number").to_numpy(dtype=float))]
    if missing.size:
        raise ValueError(
            f"figure {name} draws {missing.size} numbers that its data does not hold, {missing[0]} for one"
        )

    folder = Path(FOLDER)
    folder.mkdir(exist_ok=True)
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=11)
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    for kind in PICTURES:
        figure.savefig(folder / f"{name}.{kind}", dpi=300, metadata=dates[kind])
    data.to_csv(folder / f"{name}.csv", index=False)
    words = {"id": name, "title": title, "caption": caption, "alt": alt, "data": corpora.files_read()}
    (folder / f"{name}.json").write_text(json.dumps(words, indent=1, ensure_ascii=False), encoding="utf-8")

    display(Image(filename=str(folder / f"{name}.png"), width=520, alt=alt))
    display({"text/markdown": caption, "text/plain": caption, FIGURE_MIME: {"id": name}}, raw=True)
    plt.close(figure)


def _drawn_numbers(figure: Figure) -> NDArray[np.float64]:
    """Every finite coordinate on a data axis of the figure's lines, dots and bands, (n,)."""
    return np.concatenate([np.empty(0), *(numbers for axes in figure.axes for numbers in _drawn_on(axes))])


def _drawn_on(axes: Axes) -> list[NDArray[np.float64]]:
    shapes = [line.get_xydata() for line in axes.lines if line.get_transform() is axes.transData]
    shapes += [dots.get_offsets() for dots in axes.collections if isinstance(dots, PathCollection)]
    bands = [band for band in axes.collections if isinstance(band, PolyCollection)]
    shapes += [path.vertices for band in bands for path in band.get_paths()]
    numbers = [np.ma.asarray(shape, dtype=np.float64).filled(np.nan).ravel() for shape in shapes]
    return [number[np.isfinite(number)] for number in numbers]
