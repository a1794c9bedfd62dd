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
   * Wait for the lead. Without locks (a page without https) every tab leads, and the server lets
   * the newest one ring.
   * @param {() => void} lead
   */
  stand(lead) {
    if (this.leads || this.cancel) return;
    const begin = () => {
      this.leads = true;
      lead();
    };
    if (!navigator.locks) return begin();
    this.cancel = new AbortController();
    const held = () => new Promise((done) => {
      this.release = () => done(undefined);
      begin();
    });
    navigator.locks.request(NAME, { signal: this.cancel.signal }, held).catch(() => {}); // cancelled
  }

  /** Whether another tab leads. */
  async isTaken() {
    if (!navigator.locks) return false;
    const { held } = await navigator.locks.query();
    return !this.leads && Boolean(held?.some((one) => one.name === NAME));
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
