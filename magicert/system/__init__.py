"""What any program needs of the system; no chess in it.

    compiled     kernels compiled by numba, and what was compiled kept
    deadline     a moment at which work ends
    processes    worker processes that end with their owner
    threads      threads that are told when nobody waits for them
    toml_text    texts for TOML files
    whole_file   files that are written whole or not at all
    words        operations on 64-bit words in compiled code

None of these files needs another.
"""
