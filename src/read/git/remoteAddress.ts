// The address of a remote. A user, a path or a query may contain a token, so messages show only the host.
import { inspect } from 'node:util';
import { KnownSecrets } from '../../model/secrets/knownSecrets.ts';
import { percentDecoded } from './percentDecoded.ts';

/** The address of a remote. Converted to a text it is its host; only git gets the whole address. */
export class RemoteAddress {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The whole address, for the settings of a command of git. Must not be printed or stored. */
  get forGit(): string {
    return this.#text;
  }

  /** Whether the address has a user, and no password. */
  get hasUserAlone(): boolean {
    const [, user, password] = CREDENTIALS.exec(this.#text) ?? [];
    return user !== undefined && password === undefined;
  }

  toString(): string {
    return this.#text.replace(WEB, (_, scheme: string, host: string) => `${scheme}${host}`);
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }

  /** `said` with only the host of this address, as a whole and as git shows it, and without its credentials. */
  removedFrom(said: string): string {
    const anonymous = this.#text.replace(USER, '$1');
    return this.hiddenIn(
      [this.#text, anonymous].reduce((text, one) => text.replaceAll(one, `${this}`), said),
    );
  }

  /** `said` without the credentials of this address, which a server may repeat. */
  hiddenIn(said: string): string {
    const known = new KnownSecrets();
    for (const secret of this.#secrets()) known.add(secret);
    return known.redact(said);
  }

  // A short user beside a password is a name, such as `oauth2`, and may be a word of a message.
  #secrets(): readonly string[] {
    const [, user = '', password] = CREDENTIALS.exec(this.#text) ?? [];
    const secrets = password === undefined || user.length >= LONG_USER ? [user] : [];
    return [...secrets, password ?? ''].map(percentDecoded);
  }
}

const LONG_USER = 16;
const CREDENTIALS = /^[a-z][\w+.-]*:\/\/([^/?#:]*)(?::([^/?#]*))?@/is;
const USER = /^([a-z][\w+.-]*:\/\/)[^/?#]*@/is;

// A colon that no port follows may belong to a password with an unescaped slash.
const WEB = /^((?:https?|ssh|git|ftps?):\/\/)(?:[^/?#]*@)?([^/?#:]*(?::\d+(?=[/?#]|$))?).*$/is;

/** A text in which addresses of any server end after their hosts, and have no users. Such an address ends at a blank or a quotation mark. */
export const hostsOnly = (text: string): string =>
  text.replaceAll(
    /\b((?:https?|ssh|git|ftps?):\/\/)(?:[^\s'"/]*@)?([^\s'"/?#]*)[^\s'"]*/gi,
    (_, scheme: string, host: string) => `${scheme}${host}`,
  );
