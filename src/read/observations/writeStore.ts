// Writes a store. Each observation is one line of the journal, and a compaction moves the journal into files of days. Whenever
// the process ends, the manifest names only complete files. The caller must hold the lock of the store.
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, type Day, dayOf, type Forgotten, type Time } from '../../usage/observed.ts';
import type { Counted } from '../../usage/records/growth.ts';
import { CountedDay } from '../../usage/store/countedDay.ts';
import { DayFlows, dayJson, isAbout } from '../../usage/store/dayFlows.ts';
import { journalled, statesAfter } from '../../usage/store/journalled.ts';
import {
  digestOf,
  emptyManifest,
  filesOf,
  joinedSpan,
  journalName,
  type Manifest,
  manifestText,
  type StoredDay,
  type StoredFile,
} from '../../usage/store/manifest.ts';
import {
  checksumOf,
  journalHead,
  type Observation,
  observationLine,
} from '../../usage/store/observation.ts';
import { type LoggedState, rewritten, statesSince } from '../../usage/store/stateLog.ts';
import { type UnprovenJournal, unprovenJournal } from '../../usage/store/unproven.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { writeWhole } from '../files/writeFile.ts';
import {
  MANIFEST,
  makePrivate,
  readCounted,
  readDay,
  readJournal,
  readManifest,
  readStates,
  zipped,
} from './storeFolder.ts';

/** The journal is compacted when it is larger than this, in bytes. */
const LARGEST_JOURNAL = 16 * 1024 * 1024;

/** The data that a compaction leaves out. */
export interface LeftOut {
  /** Flows and states before this time. */
  readonly before?: Time;
  /** The id of a machine to leave out. */
  readonly machine?: string;
  /** Rewrites the answers in states, without the machine. */
  readonly state?: (account: LoggedAccount) => LoggedAccount;
  /** The mark that the store keeps of the forgotten machine. */
  readonly mark?: Forgotten;
}

type LoggedAccount = Parameters<Parameters<typeof rewritten>[1]>[0];

/** A store that is open for writing. */
export class StoreWriter {
  readonly #folder: string;
  #manifest: Manifest;
  #states: readonly LoggedState[];
  #window: Manifest['window'];
  #log: Manifest['log'];
  #unproven: UnprovenJournal | null;
  #journal: FileHandle | null = null;
  #length: number;
  /** The checksum of the last line of the journal. */
  #last: string;
  #signs = new Map<Day, Map<string, number>>();
  #counted = new Map<Day, Map<number, Counted>>();
  readonly #earlier = new Map<Day, CountedDay>();

  private constructor(folder: string, manifest: Manifest, journal: Journalled) {
    this.#folder = folder;
    this.#manifest = manifest;
    this.#length = journal.length;
    this.#last = journal.last;
    this.#states = journal.states;
    this.#window = journal.window;
    this.#log = journal.log;
    this.#unproven = journal.unproven;
    for (const observation of journal.observations) this.#note(observation);
  }

  /** Opens the store at `folder`, or creates it. Throws a `StoreFault` if the store is damaged or belongs to another account. */
  static async open(
    folder: string,
    identity: Pick<Manifest, 'server' | 'account' | 'hasPeople'>,
  ): Promise<StoreWriter> {
    await makeFolder(folder, 0o700);
    const found = await readManifest(folder);
    const manifest = found ?? emptyManifest(identity, freshBegin());
    if (found === null) {
      await writeWhole(join(folder, manifest.journal), journalHead(manifest.begin));
      await writeWhole(join(folder, MANIFEST), manifestText(manifest));
    }
    const { observations, length, last } = await readJournal(folder, manifest);
    if (found !== null) await makePrivate(folder, manifest);
    const states = await readStates(folder, manifest);
    const all = journalled(manifest, states, observations);
    const unproven = unprovenJournal(manifest, states, observations);
    const journal = { ...all, observations, length, last, unproven };
    const writer = new StoreWriter(folder, manifest, journal);
    // A journal without a unique beginning is replaced by a journal that cannot be mistaken for another.
    if (manifest.begin === undefined && unproven === null) await writer.compact();
    return writer;
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** The journal if nothing binds it to this store, until a compaction makes it part of the store. Otherwise null. */
  get unproven(): UnprovenJournal | null {
    return this.#unproven;
  }

  /** The states of the account, oldest first. */
  get states(): readonly LoggedState[] {
    return this.#states;
  }

  /** The end of the last observation; null if there was none. */
  get lastRead(): Time | null {
    return this.#window?.to ?? null;
  }

  /** The settings of the log in the last observation; null if none showed them. */
  get log(): Manifest['log'] {
    return this.#log;
  }

  /** Loads the counted records of these days and of adjacent days. */
  async load(days: Iterable<Day>): Promise<void> {
    const wanted = new Set([...days].flatMap(day => [day - 1, day, day + 1]));
    for (const { day, counted } of this.#manifest.days)
      if (wanted.has(day) && !this.#earlier.has(day))
        this.#earlier.set(day, await readCounted(this.#folder, counted));
  }

  /** The counters of a record of a loaded day; undefined if the record was not counted. */
  counted(day: Day, number: number): Counted | undefined {
    return this.#counted.get(day)?.get(number) ?? this.#earlier.get(day)?.get(number);
  }

  /** The end of the newest day with records; null if there is none. */
  get newest(): Time | null {
    const days = [...this.#manifest.days.map(one => one.day), ...this.#counted.keys()];
    return days.length === 0
      ? null
      : (days.reduce((one, other) => Math.max(one, other)) + 1) * DAY_MS;
  }

  /** Whether there are records since a day. */
  hasCountedSince(day: Day): boolean {
    const days = [...this.#manifest.days.map(one => one.day), ...this.#counted.keys()];
    return days.some(one => one >= day);
  }

  /** The signs of activity of a machine on a day in the journal, as bits; 0 if there are none. */
  signs(day: Day, machine: string): number {
    return this.#signs.get(day)?.get(machine) ?? 0;
  }

  /** Whether the days or the gaps of the store name a machine. */
  async mentions(machine: string): Promise<boolean> {
    const { observations } = await readJournal(this.#folder, this.#manifest);
    const gaps = [this.#manifest, ...observations].flatMap(one => one.gaps);
    if (gaps.some(gap => gap.machine === machine)) return true;
    if (observations.some(({ days }) => days.some(day => isAbout(day, machine)))) return true;
    for (const { flows } of this.#manifest.days)
      if (isAbout(await readDay(this.#folder, flows), machine)) return true;
    return false;
  }

  /** Appends an observation. It is on the disk before the promise resolves. */
  async append(observation: Observation): Promise<void> {
    this.#journal ??= await this.#openJournal();
    const line = observationLine(observation, this.#last);
    const bytes = Buffer.from(line);
    try {
      await writeAt(this.#journal, bytes, this.#length);
      await this.#journal.sync();
    } catch (error) {
      // If only a part of the line was written, it is cut off when the journal is opened again.
      await this.close();
      throw error;
    }
    this.#length += bytes.length;
    this.#last = checksumOf(line);
    this.#note(observation);
    this.#states = statesAfter(this.#states, observation);
    this.#window = joinedSpan(this.#window, observation.span);
    this.#log = observation.log ?? this.#log;
  }

  /** Whether the journal should be compacted, to keep the store small and to delete what is too old. */
  isDue(before: Time): boolean {
    if (this.#length > LARGEST_JOURNAL) return true;
    return (
      this.#manifest.days.some(({ day }) => day < dayOf(before)) ||
      [...this.#counted.keys(), ...this.#signs.keys()].some(day => day < dayOf(before))
    );
  }

  /** Moves the journal into the files of its days, without the data in `leftOut`. */
  async compact(leftOut: LeftOut = {}): Promise<void> {
    const generation = this.#manifest.generation + 1;
    const { observations } = await readJournal(this.#folder, this.#manifest);
    const days = await this.#compactedDays(observations, generation, leftOut);
    const { window, gaps, log, ...found } = journalled(
      this.#manifest,
      await readStates(this.#folder, this.#manifest),
      observations,
    );
    const { before = 0, state, mark } = leftOut;
    const marks = [...(this.#manifest.forgotten ?? []), ...(mark ? [mark] : [])];
    const forgotten = marks.filter(({ until }) => until >= before);
    const since = statesSince(found.states, before);
    const states = state === undefined ? since : rewritten(since, state);
    const manifest: Manifest = {
      ...this.#manifest,
      generation,
      journal: journalName(generation),
      begin: freshBegin(),
      days,
      states: await this.#stored(`states.${generation}.json.gz`, await zipped(toJson(states))),
      window: window && { from: Math.min(Math.max(window.from, before), window.to), to: window.to },
      gaps: gaps.filter(({ to, machine }) => to >= before && !isOf(machine, leftOut)),
      log,
      forgotten,
    };
    await this.#switchTo(manifest);
    this.#states = states;
    this.#window = manifest.window;
    this.#unproven = null;
  }

  /** Stores the account to which the store belongs, once it is known. */
  async identify(identity: Pick<Manifest, 'server' | 'account'>): Promise<void> {
    this.#manifest = { ...this.#manifest, ...identity };
    await writeWhole(join(this.#folder, MANIFEST), manifestText(this.#manifest));
  }

  async close(): Promise<void> {
    await this.#journal?.close();
    this.#journal = null;
  }

  async #openJournal(): Promise<FileHandle> {
    const file = await open(join(this.#folder, this.#manifest.journal), 'r+');
    // Cuts off an incomplete line at the end.
    await file.truncate(this.#length);
    return file;
  }

  #note({ days, counted }: Observation): void {
    for (const [day, records] of counted) {
      const known = this.#counted.get(day) ?? new Map<number, Counted>();
      this.#counted.set(day, known);
      for (const [number, count] of records) known.set(number, count);
    }
    for (const { day, signs } of days) {
      const known = this.#signs.get(day) ?? new Map<string, number>();
      this.#signs.set(day, known);
      for (const [machine, sign] of signs) known.set(machine, (known.get(machine) ?? 0) | sign);
    }
  }

  async #compactedDays(
    observations: readonly Observation[],
    generation: number,
    { before = 0, machine }: LeftOut,
  ): Promise<readonly StoredDay[]> {
    const parts = Map.groupBy(
      observations.flatMap(({ days }) => days),
      ({ day }) => day,
    );
    const stored = new Map(this.#manifest.days.map(one => [one.day, one]));
    const all = new Set([...stored.keys(), ...parts.keys(), ...this.#counted.keys()]);
    const kept = [...all].filter(day => day >= dayOf(before)).sort((a, b) => a - b);
    const days: StoredDay[] = [];
    for (const day of kept) {
      const earlier = stored.get(day);
      const more = parts.get(day) ?? [];
      const isSame = more.length === 0 && !this.#counted.has(day) && machine === undefined;
      if (earlier !== undefined && isSame) {
        days.push(earlier);
        continue;
      }
      const flows = new DayFlows(day);
      if (earlier !== undefined) flows.addAll(await readDay(this.#folder, earlier.flows), machine);
      for (const part of more) flows.addAll(part, machine);
      const former =
        earlier === undefined ? CountedDay.empty : await readCounted(this.#folder, earlier.counted);
      const counted = former.with(this.#counted.get(day) ?? new Map());
      const name = new Date(day * DAY_MS).toISOString().slice(0, 10);
      days.push({
        day,
        flows: await this.#stored(
          `flows.${name}.${generation}.json.gz`,
          await zipped(dayJson(flows.document())),
        ),
        counted: await this.#stored(`counted.${name}.${generation}.bin`, counted.encoded()),
      });
    }
    return days;
  }

  async #stored(name: string, bytes: Uint8Array): Promise<StoredFile> {
    await writeWhole(join(this.#folder, name), bytes);
    return { name, digest: digestOf(bytes) };
  }

  // The new manifest takes effect at once; files that it does not name are deleted afterwards.
  async #switchTo(manifest: Manifest): Promise<void> {
    const head = journalHead(manifest.begin);
    await writeWhole(join(this.#folder, manifest.journal), head);
    await this.close();
    await writeWhole(join(this.#folder, MANIFEST), manifestText(manifest));
    this.#manifest = manifest;
    this.#length = head.length;
    this.#last = checksumOf(head);
    this.#counted = new Map();
    this.#signs = new Map();
    this.#earlier.clear();
    await this.sweep();
  }

  /** Deletes the files that an interrupted compaction left. */
  async sweep(): Promise<void> {
    const named = new Set([MANIFEST, ...filesOf(this.#manifest)]);
    for (const name of await readdir(this.#folder))
      if (!named.has(name) && OURS.test(name)) await rm(join(this.#folder, name), { force: true });
  }
}

// A forgotten machine leaves nothing but its mark.
const isOf = (machine: string | undefined, leftOut: LeftOut): boolean =>
  machine !== undefined && machine === leftOut.machine;

const freshBegin = (): string => randomBytes(16).toString('hex');

// Writes in a loop, because a full disk accepts only a part of a line.
async function writeAt(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const left = bytes.length - done;
    const { bytesWritten } = await file.write(bytes, done, left, start + done);
    done += bytesWritten;
  }
}

const OURS =
  /^(?:(?:flows\.[\d-]+|states)\.\d+\.json\.gz|counted\.[\d-]+\.\d+\.bin|journal\.\d+\.jsonl|store\.json)(?:\.[0-9a-f-]{36}\.part)?$/;

interface Journalled extends ReturnType<typeof journalled> {
  readonly observations: readonly Observation[];
  readonly length: number;
  readonly last: string;
  readonly unproven: UnprovenJournal | null;
}

const toJson = (states: readonly LoggedState[]): Parameters<typeof zipped>[0] =>
  states as unknown as Parameters<typeof zipped>[0];
