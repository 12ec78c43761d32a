"""Research lies in the checkout, not in the wheel."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
