const STORAGE_NAME = 'lore.key';

/** Asks the person for a key; `rejected` says that the server refused the last one. Undefined where they would rather not. */
type KeyAsker = (rejected: boolean) => Promise<string | undefined>;

/** The API key of this tab. Kept in session storage: gone with the tab, never written to disk by us. */
class Keyring {
  #key = sessionStorage.getItem(STORAGE_NAME) ?? undefined;
  #asker: KeyAsker | undefined;
  #asking: Promise<boolean> | undefined;
  #declined = false;
  #onUnlock: (() => void) | undefined;

  get key(): string | undefined {
    return this.#key;
  }

  /** Who shows the dialog. */
  askWith(asker: KeyAsker): void {
    this.#asker = asker;
  }

  /** Forgets the key of this tab: the next request asks for one, where one is needed. */
  forget(): void {
    this.#key = undefined;
    this.#declined = false;
    sessionStorage.removeItem(STORAGE_NAME);
  }

  /** Told when a key came after it had been declined: what failed for want of it can be loaded now. */
  onUnlock(listener: () => void): void {
    this.#onUnlock = listener;
  }

  /**
   * Gets another key than `used`, which the server refused. Any number of requests share one dialog, and after it was declined once no
   * request opens it again by itself: only `again` does. Resolves to whether there is a key to try.
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
    this.#key = key;
    sessionStorage.setItem(STORAGE_NAME, key);
    if (declinedBefore) this.#onUnlock?.();
    return true;
  }
}

export const keyring = new Keyring();
