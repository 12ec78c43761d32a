"""Methods: how a cell is settled, whichever solver works.

method       picks and runs one of them
cubes        disproving cube by cube over the bits of the magic
cube_ledger  the file that knows which cubes are settled
refine       finding by refinement with counterexamples
settle       everything stated at once
"""
