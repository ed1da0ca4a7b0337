const STORAGE_NAME = 'lore.key';

/** Asks the user for a key; `rejected`: the server refused the last one. Undefined if the user declines. */
type KeyAsker = (rejected: boolean) => Promise<string | undefined>;

/** The API key of this tab, in session storage: it disappears with the tab and is not written to disk by this page. */
class Keyring {
  #key = sessionStorage.getItem(STORAGE_NAME) ?? undefined;
  #asker: KeyAsker | undefined;
  #asking: Promise<boolean> | undefined;
  #declined = false;
  #onUnlock: (() => void) | undefined;

  get key(): string | undefined {
    return this.#key;
  }

  /** Registers the component that shows the dialog. */
  askWith(asker: KeyAsker): void {
    this.#asker = asker;
  }

  /** From now on requests go with this key. */
  use(key: string): void {
    this.#key = key;
    sessionStorage.setItem(STORAGE_NAME, key);
  }

  /** Forgets the key of this tab: the next request asks for one, if one is required. */
  forget(): void {
    this.#key = undefined;
    this.#declined = false;
    sessionStorage.removeItem(STORAGE_NAME);
  }

  /** Called when a key arrives after the dialog was declined: failed requests can be repeated. */
  onUnlock(listener: () => void): void {
    this.#onUnlock = listener;
  }

  /**
   * Called when the server refused the key `used`. All requests share one dialog. After the user declined it once, only `again` opens it.
   * Resolves to whether there is another key to try.
   */
  async replace(used: string | undefined, options: { again?: boolean } = {}): Promise<boolean> {
    if (this.#key !== used) return true;
    if (this.#asker === undefined || (this.#declined && options.again !== true)) return false;
    this.#asking ??= this.#ask(this.#asker, used !== undefined).finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(asker: KeyAsker, rejected: boolean): Promise<boolean> {
    const key = await asker(rejected);
    const declinedBefore = this.#declined;
    this.#declined = key === undefined;
    if (key === undefined) return false;
    this.use(key);
    if (declinedBefore) this.#onUnlock?.();
    return true;
  }
}

export const keyring = new Keyring();
