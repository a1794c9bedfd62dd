"""An LLM behind language's ports: any OpenAI-compatible endpoint, bounded, checked, optional."""
