"""Words to sound and back: synthesis, Opus, the end of speech, transcription."""
