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
  const noted = addressesIn(await journals.note(NAME));
  const addresses = noted.length > 0 ? noted : await addressesOfRuns(journals);
  const former = reached.formerUrl === undefined ? [] : [inOneForm(reached.formerUrl)];
  const isKnown = [url, ...former].some(address => addresses.includes(address));
  const [first, ...others] = addresses;
  if (first !== undefined && !isKnown && reached.isAny !== true)
    return { refused: 'other-server', account, remote, url, addresses: [first, ...others] };
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

const noteOf = (addresses: ReadonlySet<string>): SharedNote => ({
  name: NAME,
  text: jsonLine({
    format_version: FORMAT_VERSION,
    addresses: Array.from(addresses).sort(compareTexts),
  }),
});

// An unreadable note counts as no note. In that case, the journals show the addresses.
function addressesIn(text: string | null): readonly string[] {
  const note = text === null ? null : jsonOf(text);
  if (!isObject(note) || !Array.isArray(note.addresses)) return [];
  return note.addresses.filter(address => typeof address === 'string');
}

// Versions without this note named the server in every journal.
async function addressesOfRuns(journals: JournalsOfServer): Promise<readonly string[]> {
  const servers = (await journals.all()).flatMap(({ text }) => serverIn(text) ?? []);
  return Array.from(new Set(servers.map(inOneForm))).sort(compareTexts);
}

const inOneForm = (url: string): string => serverAddress(url) ?? url;
