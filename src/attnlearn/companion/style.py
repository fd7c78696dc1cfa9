"""How every picture of the book looks. The same colour means the same thing in all of them."""

import matplotlib as mpl
import seaborn as sns

# Okabe and Ito's colours, which the colour-blind tell apart, and which keep their contrast on white and, inverted, on
# black.
PALETTE = {
    "fixed": "#0072B2",
    "linear": "#D55E00",
    "two-layer": "#009E73",
    "topic": "#0072B2",
    "non-topic": "#999999",
    "control": "#CC79A7",
    "theory": "#1A1A1A",
}


def use_house_style() -> None:
    """Set matplotlib's defaults for the book.

    A picture is drawn about five inches wide, so that its 10-point letters are still letters on a phone.
    """
    sns.set_theme(context="paper", style="ticks", font="DejaVu Sans")
    mpl.rcParams.update(
        {
            "figure.figsize": (5.2, 3.6),
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "font.size": 10,
            "axes.labelsize": 10,
            "axes.titlesize": 10.5,
            "axes.titlelocation": "left",
            "axes.titleweight": "bold",
            "axes.spines.right": False,
            "axes.spines.top": False,
            "xtick.labelsize": 9,
            "ytick.labelsize": 9,
            "legend.fontsize": 9,
            "legend.frameon": False,
            "lines.linewidth": 1.4,
            "svg.fonttype": "path",
            "svg.hashsalt": "attnlearn",  # the same picture is the same file
        }
    )
