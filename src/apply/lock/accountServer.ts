// The server to which the account at a Git remote belongs. The refs of an account contain only its
// id, and a server may report any id, even the id of an account at another server. So a note beside
// the journals contains the addresses of the server, and a run that reaches another address does
// not get the lock. The note protects against servers, not against people who can push, because
// they could also remove the note. So the note is not signed, and runs with other keys or tokens
// read it too.
import { serverAddress } from '../../model/serverAddress.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { jsonLine, jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';
import { serverIn } from '../../report/run/journalLines.ts';
import type { SharedJournals, SharedNote } from '../journal/sharedJournals.ts';
import type { AccountLockRefusal } from '../refusal.ts';

const NAME = 'server.json';

const FORMAT_VERSION = '1.0';

/** The server that a run reaches. */
export interface ReachedServer {
  readonly url: string;
  /** Whether the user says that every address of the account leads to this server. */
  readonly isAny?: boolean | undefined;
  /** An address that led to this server before. */
  readonly formerUrl?: string | undefined;
}

/** The journals next to which the note is stored. */
export type JournalsOfServer = Pick<SharedJournals, 'note' | 'all' | 'put' | 'putAlong'>;

/** An account at a remote. */
interface AccountAtRemote {
  readonly account: string;
  /** The name of the remote. */
  readonly remote: string;
}

/**
 * The refusal if an account at a remote belongs to another server than the run reaches. Otherwise
 * null, and the next push of the journals also notes the address of the server. Rejects if git
 * fails.
 */
export async function otherServerRefusal(
  { account, remote }: AccountAtRemote,
  journals: JournalsOfServer,
  reached: ReachedServer,
): Promise<AccountLockRefusal | null> {
  const url = inOneForm(reached.url);
  const { noted, addresses } = await knownAddresses(journals);
  const other = otherAmong(addresses, reached);
  if (other !== null) return { refused: 'other-server', account, remote, url, addresses: other };
  const [first] = addresses;
  const isNew = !addresses.includes(url);
  // If journals name several addresses, only a person can confirm that all of them lead to one
  // server.
  const isGiven = noted.length > 0 || isNew || reached.isAny === true;
  const kept = isGiven ? addresses : [];
  const note = noteOf(new Set([...kept, url]));
  // A run that writes nothing leaves no journals, unless a person has confirmed that the address is
  // correct.
  if (isNew && first !== undefined) journals.put(note.name, note.text);
  else if (!noted.includes(url)) journals.putAlong(note);
  return null;
}

/**
 * The addresses of the server to which the journals belong, if the run reaches another server; otherwise null. Notes nothing.
 * Rejects if git fails.
 */
export async function addressesOfOther(
  journals: Pick<SharedJournals, 'note' | 'all'>,
  reached: ReachedServer,
): Promise<Addresses | null> {
  return otherAmong((await knownAddresses(journals)).addresses, reached);
}

/** At least one address. */
type Addresses = readonly [string, ...string[]];

async function knownAddresses(journals: Pick<SharedJournals, 'note' | 'all'>) {
  const noted = addressesIn(await journals.note(NAME));
  return { noted, addresses: noted.length > 0 ? noted : await addressesOfRuns(journals) };
}

// The known addresses, if neither the address that the run reaches nor its former address is among them.
function otherAmong(
  addresses: readonly string[],
  { url, formerUrl, isAny }: ReachedServer,
): Addresses | null {
  const [first, ...others] = addresses;
  const reached = [url, ...(formerUrl === undefined ? [] : [formerUrl])].map(inOneForm);
  const isKnown = reached.some(address => addresses.includes(address));
  return first === undefined || isKnown || isAny === true ? null : [first, ...others];
}

const noteOf = (addresses: ReadonlySet<string>): SharedNote => ({
  name: NAME,
  text: jsonLine({
    format_version: FORMAT_VERSION,
    addresses: Array.from(addresses).sort(compareTexts),
  }),
});

// A note that nobody can read counts as none: the journals then show the addresses. Whatever is no web address does not count
// either, because no run can reach it, nor name it as a former address.
function addressesIn(text: string | null): readonly string[] {
  const note = text === null ? null : jsonOf(text);
  if (!isObject(note) || !Array.isArray(note.addresses)) return [];
  return note.addresses.flatMap(address =>
    typeof address === 'string' ? (serverAddress(address) ?? []) : [],
  );
}

// Versions without this note named the server in every journal.
async function addressesOfRuns(journals: Pick<SharedJournals, 'all'>): Promise<readonly string[]> {
  const servers = (await journals.all()).flatMap(({ text }) => serverIn(text) ?? []);
  return Array.from(new Set(servers.map(inOneForm))).sort(compareTexts);
}

const inOneForm = (url: string): string => serverAddress(url) ?? url;
