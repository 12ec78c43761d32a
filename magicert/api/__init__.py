"""What `import magicert` offers to programs: a handful of functions, each a request that is run.

The public names are listed in `magicert/__init__.py`. docs/api.md has examples.
The command line calls the same jobs.
"""
