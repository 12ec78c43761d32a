"""Commands for engine sources alone.

import_table    magicert import
fix             magicert fix
"""
