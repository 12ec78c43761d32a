"""Programming languages: files, grammars, `#if` branches, and what constant expressions come to."""
