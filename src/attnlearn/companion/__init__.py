"""The book's own machinery: what chapters call, exported here, and what builds the book from them."""

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
