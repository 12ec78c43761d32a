"""The smallest buffer.

overlaid  bytes, and words that squares share
layered  several squares in one entry
pack     attack sets, one in an entry
beside   what is said beside a layout: exact bounds, shorter records
crew     who works: this process, processes, or a cluster
shared   what both kinds of packing are asked, and come to
"""
