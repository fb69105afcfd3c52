-- Version 6: everything that is of a type is found by its bases, in the order of names, without reading the rest.
CREATE INDEX memories_of_base ON memories (session, bases, name);
