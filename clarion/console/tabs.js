// @ts-check
/**
 * One browser is one device, however many tabs it has: one of them leads, and when that is closed
 * another one does. The lock is the browser's own, so a tab that crashes lets go of it too.
 */

const NAME = "clarion.device";

export class Tabs {
  constructor() {
    this.leads = false;
    /** What another tab said; set by whoever listens. @type {(message: any) => void} */
    this.heard = () => {};
    /** @type {(() => void) | null} */
    this.release = null;
    const Channel = globalThis.BroadcastChannel;
    this.channel = Channel ? new Channel(NAME) : null;
    if (this.channel) this.channel.onmessage = (event) => this.heard(event.data);
  }

  /** To all other tabs. @param {any} message */
  tell(message) {
    this.channel?.postMessage(message);
  }

  /**
   * Take the lead, or wait for it while another tab has it. Without locks (a page without https)
   * every tab leads, and the server lets the newest one ring.
   * @param {() => void} lead
   * @returns {Promise<boolean>} whether it is ours now
   */
  async stand(lead) {
    if (this.leads || this.cancel) return this.leads;
    if (!navigator.locks) {
      this.begin(lead);
      return true;
    }
    const wish = (this.cancel = new AbortController());
    const hold = () => new Promise((done) => {
      this.release = () => done(undefined);
      this.begin(lead);
    });
    const wait = () => navigator.locks.request(NAME, { signal: wish.signal }, hold).catch(() => {}); // cancelled
    // Asked of the lock itself: a list of held locks may show our own before we are told of it.
    return new Promise((told) => {
      navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
        const ours = Boolean(lock) && !wish.signal.aborted;
        told(ours);
        if (ours) return hold();
        if (!wish.signal.aborted) wait();
        return undefined;
      });
    });
  }

  /** @param {() => void} lead */
  begin(lead) {
    this.leads = true;
    lead();
  }

  /** Lead no longer, and do not want to. */
  stepDown() {
    this.cancel?.abort();
    this.cancel = undefined;
    this.leads = false;
    this.release?.();
    this.release = null;
  }
}
