"""The book's own machinery. Chapters call `save_figure`, `record_claim`, `glue`, `source_of`; the build calls the rest."""

from attnlearn.companion.claims import Measurement, over_configurations, over_seeds, record_claim
from attnlearn.companion.figures import save_figure
from attnlearn.companion.prose import glue, source_of
from attnlearn.companion.style import PALETTE, use_house_style

__all__ = [
    "PALETTE",
    "Measurement",
    "glue",
    "over_configurations",
    "over_seeds",
    "record_claim",
    "save_figure",
    "source_of",
    "use_house_style",
]
