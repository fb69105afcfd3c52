"""Chat exports of SpecStory, and of Cursor itself, as sessions."""
