from magicert.api.atlas import read_atlas as read_atlas
from magicert.api.certify import Certified as Certified
from magicert.api.certify import certify as certify
from magicert.api.certify import certify_table as certify_table
from magicert.api.check import CheckedCertificate as CheckedCertificate
from magicert.api.check import check as check
from magicert.api.emit import emit as emit
from magicert.api.find import disprove as disprove
from magicert.api.find import find as find
from magicert.api.numbers import make_table as make_table
from magicert.api.pack import Packed as Packed
from magicert.api.pack import pack as pack
from magicert.api.sets import find_set as find_set
from magicert.api.tables import read_table as read_table
from magicert.functions.api import certify_function as certify_function
from magicert.outcome import Exists as Exists
from magicert.outcome import Impossible as Impossible
from magicert.outcome import Observer as Observer
from magicert.outcome import Outcome as Outcome
from magicert.outcome import Unknown as Unknown
from magicert.problem import InputError as InputError
from magicert.problem import Problem as Problem
from magicert.table import Table as Table
from magicert.table import TableFile as TableFile

__version__: str
PUBLIC: dict[str, str]
