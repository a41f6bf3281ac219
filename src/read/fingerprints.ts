// A file of fingerprints, which show which value of each secret was sent last. They can be compared only with the key.
import { createHash, createHmac } from 'node:crypto';
import type { Address } from '../model/names.ts';
import { jsonOf, jsonText } from '../model/text/jsonText.ts';
import { pointer } from '../model/text/pointer.ts';
import { isObject, type Json, type Path } from '../model/value.ts';
import { readIfThere } from './files/fileText.ts';
import { writeWhole } from './files/writeFile.ts';
import { wholeTargetAt } from './files/writeTarget.ts';

const FORMAT_VERSION = '1.0';

/** Fingerprints of the values that were sent last. Without the key, they do not reveal the values. */
export class Fingerprints {
  readonly #path: string;
  readonly #key: string;
  readonly #known: Map<string, string>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, key: string, known: Map<string, string>) {
    this.#path = path;
    this.#key = key;
    this.#known = known;
  }

  /**
   * Reads the file at `path`; without a file, the result is empty. Resolves to a text with the reason if the file cannot be used.
   */
  static async read(path: string, key: string): Promise<Fingerprints | string> {
    const place = wholeTargetAt(path);
    if (place.is === 'unusable') return place.why;
    const text = await readIfThere(place.path);
    if (text === null || text === '') return new Fingerprints(place.path, key, new Map());
    const document = jsonOf(text);
    if (!isObject(document) || !isObject(document.fingerprints))
      return 'it is not a file of fingerprints';
    if (document.format_version !== FORMAT_VERSION)
      return `it is of ${formatOf(document.format_version)}, and this meshform reads ${FORMAT_VERSION}`;
    if (document.key !== nameOfKey(key)) return 'it was written with a different key';
    const entries = Object.entries(document.fingerprints);
    return new Fingerprints(
      place.path,
      key,
      new Map(entries.map(([place, of]) => [place, String(of)])),
    );
  }

  /** Whether the account may contain a value other than `value` at this place. */
  isOther(address: Address, path: Path, value: string): boolean {
    const place = placeOf(address, path);
    return this.#known.get(place) !== this.#of(place, value);
  }

  /** Stores values that were sent. Rejects if the file cannot be written. */
  sent(address: Address, values: readonly { path: Path; value: string }[]): Promise<void> {
    for (const { path, value } of values) {
      const place = placeOf(address, path);
      this.#known.set(place, this.#of(place, value));
    }
    return this.save();
  }

  /** Forgets the values at these places, or of the whole object, because the account may now contain others. */
  forget(address: Address, paths?: readonly Path[]): Promise<void> {
    const places = paths
      ? paths.map(path => placeOf(address, path))
      : [...this.#known.keys()].filter(place => place.startsWith(placeOf(address, [''])));
    const isKnown = places.map(place => this.#known.delete(place)).some(Boolean);
    return isKnown ? this.save() : Promise.resolve();
  }

  /** Writes the file atomically. */
  save(): Promise<void> {
    const written = this.#writing.then(() => writeWhole(this.#path, this.#text()));
    this.#writing = written.catch(() => {});
    return written;
  }

  // The fingerprint of a value at a place. It includes the place, so that two secrets with the same value do not look equal.
  #of(place: string, value: string): string {
    return createHmac('sha256', this.#key).update(`${place}\n${value}`).digest('hex');
  }

  #text(): string {
    const sorted = [...this.#known].sort(([a], [b]) => (a < b ? -1 : 1));
    const document = {
      format_version: FORMAT_VERSION,
      key: nameOfKey(this.#key),
      fingerprints: Object.fromEntries(sorted),
    };
    return jsonText(document);
  }
}

// Only a version number is repeated in the message, because the file may contain anything.
const formatOf = (version: Json | undefined): string =>
  typeof version === 'string' && /^\d{1,4}\.\d{1,4}$/.test(version)
    ? `format ${version}`
    : 'another format';

const placeOf = (address: Address, path: Path): string => `${address} ${pointer(path)}`;

// A short name of a key, which does not reveal the key. With more characters, a short key could be found by trying.
const nameOfKey = (key: string): string =>
  createHash('sha256').update(`meshform fingerprints ${key}`).digest('hex').slice(0, 4);
