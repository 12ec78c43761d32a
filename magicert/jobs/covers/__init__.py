"""Cover certificates: what the file shows, and what can be done again to see that it is true.

sample     small random pieces of every shard, searched anew with their leaves
recount    survivors of a chain, counted again
again      what the independent program has counted, counted by it again
counted    what the independent program has counted, as it is stored
replay     check a file, rebuild whole shards
work       a certificate's shards as the search's work, and which of them to do
"""
