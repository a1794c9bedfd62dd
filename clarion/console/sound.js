// @ts-check
/** Lets the page be heard: a chime of our own, and the server's Opus where the browser reads it. */

const NOTES = [659.26, 783.99, 1046.5]; // E5 G5 C6: friendly, and heard through a closed door
const HEAD_START = 0.12; // seconds of sound kept ready against jitter

export class Sound {
  constructor() {
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {AudioDecoder | null} */
    this.decoder = null;
    this.until = 0;
    this.stamp = 0;
    this.rate = 24_000;
    this.heard = 0;
    this.chimed = 0;
    /** @type {Set<AudioBufferSourceNode>} */
    this.playing = new Set();
  }

  /** Browsers are silent until somebody has touched the page: call it from a click. */
  unlock() {
    try {
      this.context ??= new AudioContext();
      this.context.resume().catch(() => {});
    } catch {
      this.context = null; // no sound card, no sound: words are still shown
    }
  }

  get isMuted() {
    return this.context === null || this.context.state !== "running";
  }

  get isSpeaking() {
    return Boolean(this.context && this.playing.size && this.until > this.context.currentTime);
  }

  /** @param {number} loudness from 0 to 1 */
  chime(loudness = 0.5) {
    const context = this.context;
    if (!context || this.isMuted) return;
    NOTES.forEach((frequency, index) => {
      const begin = context.currentTime + index * 0.16;
      const tone = context.createOscillator();
      const loud = context.createGain();
      tone.frequency.value = frequency;
      loud.gain.setValueAtTime(0, begin);
      loud.gain.linearRampToValueAtTime(0.05 + 0.45 * loudness, begin + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.001, begin + 0.9);
      tone.connect(loud).connect(context.destination);
      tone.start(begin);
      tone.stop(begin + 1);
    });
    this.chimed += 1;
    this.until = Math.max(this.until, context.currentTime + 0.9);
  }

  /** @param {number} rate as the server's hello announced it */
  expect(rate) {
    this.rate = rate;
    this.decoder = null;
  }

  /** One Opus packet. @param {ArrayBuffer} packet */
  packet(packet) {
    if (this.isMuted || typeof AudioDecoder === "undefined") return;
    try {
      if (!this.decoder || this.decoder.state === "closed") this.decoder = this.open();
      const chunk = { type: /** @type {const} */ ("key"), timestamp: (this.stamp += 60_000), data: packet };
      this.decoder.decode(new EncodedAudioChunk(chunk));
    } catch {
      this.decoder = null; // a packet it cannot read costs a moment of sound, not the page
    }
  }

  open() {
    const decoder = new AudioDecoder({ output: (data) => this.play(data), error: () => {} });
    decoder.configure({ codec: "opus", sampleRate: this.rate, numberOfChannels: 1 });
    return decoder;
  }

  /** @param {AudioData} data */
  play(data) {
    const context = this.context;
    if (!context) return data.close();
    const buffer = context.createBuffer(1, data.numberOfFrames, data.sampleRate);
    data.copyTo(buffer.getChannelData(0), { planeIndex: 0, format: "f32-planar" });
    data.close();
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    const begin = Math.max(this.until, context.currentTime + HEAD_START);
    source.start(begin);
    this.until = begin + buffer.duration;
    this.heard += buffer.duration;
    this.playing.add(source);
    source.onended = () => this.playing.delete(source);
    return undefined;
  }

  /** Somebody answers: not one more word. */
  stop() {
    for (const source of this.playing) source.stop();
    this.playing.clear();
    this.until = 0;
  }
}
