"""A long, seeded life of whole Clarions with crashes, and a judge over what they wrote down."""
