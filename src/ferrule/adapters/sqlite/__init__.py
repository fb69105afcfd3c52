"""One file per home: sessions, turns, lanes, memories, receipts and the search index, in stdlib SQLite."""
