"""The ledger of finished shards, and settling a cell shard by shard."""
