// The fleet file of a command, and its accounts.
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { tenantsBehind } from '../../api/account/tenants.ts';
import { readTransport } from '../../api/transport/transport.ts';
import { resolveAccounts, sharedAccounts } from '../../fleet/accounts.ts';
import {
  type DiscoveredEntry,
  FLEET_FILE,
  type Fleet,
  type FleetEntry,
  readFleet,
} from '../../fleet/fleetFile.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { readKinds, shippedSchema } from '../../kinds/registry.ts';
import { sortedAndDistinct } from '../../model/byPosition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { FleetAccount, Tenant } from '../../model/fleet.ts';
import { serverAddress } from '../../model/serverAddress.ts';
import { globOf } from '../../model/text/glob.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { readConfined } from '../../read/files/confined.ts';
import { readRegular } from '../../read/files/fileText.ts';
import { folderOf, realOf } from '../../read/files/projectFilesAbove.ts';
import { accountFolders } from '../../read/fleet/accountFolders.ts';
import {
  type Credential,
  FLEET_CREDENTIALS,
  readCredentials,
} from '../../read/fleet/credentials.ts';
import { layerFault } from '../../read/fleet/layerFolders.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { Io } from '../io.ts';
import { projectBefore } from '../project.ts';
import { withConnection } from '../server/connect.ts';
import { otherAddresses } from '../server/server.ts';
import { Stop } from '../stop.ts';

/** A fleet file that a command reads. */
export interface FleetFile {
  /** The path of the fleet file. */
  readonly file: string;
  /** The path of the fleet file for messages. */
  readonly shown: string;
  readonly fleet: Fleet;
}

/**
 * The fleet file at `path`, or in that folder. Prints its errors. Throws a `Stop` if there are errors, or if there is no file.
 */
export function fleetOrStop(path: string, io: Io): FleetFile {
  const named = resolve(io.cwd, path);
  const isFolder = folderOf(named) === named;
  const file = isFolder ? join(named, FLEET_FILE) : named;
  const shown = relative(io.cwd, file);
  // A commit can put a link into a folder. A path on the command line is trusted.
  const read = isFolder ? readConfined(realOf(named), file) : readRegular(file);
  if ('why' in read)
    throw new Stop(
      EXIT.invalid,
      `the fleet file ${quoted(shown)} cannot be read: ${read.why}`,
      `name a folder with a ${FLEET_FILE}, or the file`,
    );
  const { fleet, diagnostics } = readFleet(
    { file: shown, text: read.text },
    shippedSchema('fleet.schema.json'),
  );
  printFindings(diagnostics, io);
  stopOnErrors(diagnostics);
  if (fleet === undefined)
    throw new Stop(EXIT.invalid, `the fleet file ${quoted(shown)} is empty`, 'add `accounts`');
  return { file, shown, fleet };
}

/** A fleet with its accounts, and the credentials that reach each account. */
export interface OpenFleet extends FleetFile {
  readonly accounts: readonly FleetAccount[];
  readonly credentials: ReadonlyMap<string, Credential>;
}

/** The flags that select accounts. */
export interface FleetFlags {
  /** Names of accounts, in which `*` matches any text. */
  readonly account?: readonly string[];
  readonly timeout: number;
}

/**
 * Reads the credentials, and requests the accounts that tokens can use. Throws a `Stop` if
 * credentials or accounts cannot be read.
 */
export async function openFleet(
  path: string,
  { kinds, flags }: { readonly kinds: KindTable; readonly flags: FleetFlags },
  io: Io,
): Promise<OpenFleet> {
  const file = fleetOrStop(path, io);
  const credentials = credentialsOrStop(file, io);
  // This check precedes all requests, because a pull request must not choose where a token is sent.
  const known = accountFolders(file, kinds);
  const shared = sharedAccounts(file.fleet, { tenants: known, isThere: isThereIn(file) });
  withAddresses(file, [...accountsOf(file, known, io), ...shared], credentials, io);
  const tenants = new Map<DiscoveredEntry, readonly Tenant[]>();
  for (const entry of file.fleet.entries)
    if (entry.from !== undefined)
      tenants.set(entry, await tenantsOf(entry, { kinds, flags, credentials }, io));
  const accounts = withAddresses(file, accountsOf(file, tenants, io), credentials, io);
  return { ...file, credentials, accounts: chosen(accounts, flags) };
}

/**
 * The accounts of a fleet, after the accounts of the tokens were requested. Throws a `Stop` if an
 * account has an error.
 */
export function accountsOf(
  { file, fleet }: FleetFile,
  tenants: ReadonlyMap<DiscoveredEntry, readonly Tenant[]>,
  io: Io,
): readonly FleetAccount[] {
  const home = dirname(file);
  const { accounts, diagnostics } = resolveAccounts(fleet, {
    tenants,
    isThere: isThereIn({ file }),
    layerFault: layer => layerFault(home, layer),
    fieldsOf,
  });
  const findings = sortedAndDistinct([...fleet.entries.flatMap(unknownSource), ...diagnostics]);
  printFindings(findings, io);
  stopOnErrors(findings);
  return accounts;
}

/** Returns whether a layer of a fleet exists. */
export const isThereIn =
  ({ file }: Pick<FleetFile, 'file'>) =>
  (layer: string): boolean =>
    existsSync(resolve(dirname(file), layer));

/** The kinds whose objects represent accounts. */
const sourcesIn = (kinds: KindTable): readonly Kind[] =>
  [...kinds.values()].filter(kind => kind.accountNamedBy !== undefined);

const sourceOf = ({ from }: DiscoveredEntry, kinds: KindTable): Kind | undefined =>
  sourcesIn(kinds).find(({ at }) => at === `${from}[]`);

function unknownSource(entry: FleetEntry): readonly Diagnostic[] {
  const kinds = readKinds();
  if (entry.from === undefined || sourceOf(entry, kinds)) return [];
  const names = sourcesIn(kinds).map(({ at }) => at.replaceAll('[]', ''));
  const message = `${quoted(entry.from)} of \`from\` lists no accounts`;
  const hint = didYouMean(entry.from, names) ?? `use ${names.map(quoted).join(', ')}`;
  return [{ code: 'FLEET_INVALID', severity: 'error', message, at: entry.fromAt, hint }];
}

function fieldsOf(from: string): readonly string[] {
  const kinds = [...readKinds().values()];
  return kinds
    .filter(({ at }) => at === `${from}[]`)
    .flatMap(({ shape }) => [...shape.fields.keys()]);
}

/**
 * The accounts. If an account's own files name another address than the credentials, only this
 * account gets a fault. Throws a `Stop` if files that several accounts share name another address.
 */
function withAddresses(
  { file }: FleetFile,
  accounts: readonly FleetAccount[],
  credentials: ReadonlyMap<string, Credential>,
  io: Io,
): readonly FleetAccount[] {
  const home = dirname(file);
  const shared = new Map<string, Diagnostic>();
  const judged = accounts.map(account => {
    const { url } = credentials.get(account.credentials) ?? {};
    if (url === undefined || account.fault) return account;
    const isOwn = isInLayers(ownLayers(account), home, io);
    const found = account.layers.flatMap(layer =>
      otherAddresses(url, projectBefore(io, resolve(home, layer))).map(one => ({
        ...one,
        hint: ADDRESS_HINT,
      })),
    );
    for (const one of found) if (!isOwn(one)) shared.set(jsonLine({ ...one.at }), one);
    const fault = found.find(isOwn);
    return fault ? { ...account, fault: placed(fault) } : account;
  });
  const findings = sortedAndDistinct([...shared.values()]);
  printFindings(findings, io);
  stopOnErrors(findings);
  return judged;
}

// The fault of an account, as a message with its position.
const placed = (fault: Diagnostic): Diagnostic => {
  const { file, line, column } = fault.at ?? { file: '', line: 1, column: 1 };
  return { ...fault, message: `${nameText(file)}:${line}:${column}: ${fault.message}` };
};

const ownLayers = ({ layers, sharedLayers }: FleetAccount): readonly string[] =>
  layers.filter(layer => !sharedLayers.includes(layer));

/** Whether a finding is in a file of these layers. */
function isInLayers(layers: readonly string[], home: string, { cwd }: Pick<Io, 'cwd'>) {
  const folders = layers.map(layer => `${realOf(resolve(home, layer))}${sep}`);
  return ({ at }: Diagnostic): boolean =>
    at !== undefined && folders.some(folder => realOf(resolve(cwd, at.file)).startsWith(folder));
}

const ADDRESS_HINT = `remove \`url\` from these files, or correct it in the file of ${FLEET_CREDENTIALS}`;

function credentialsOrStop({ file, fleet }: FleetFile, io: Io): ReadonlyMap<string, Credential> {
  const path = io.env[FLEET_CREDENTIALS];
  if (!path)
    throw new Stop(
      EXIT.usage,
      'no credentials are configured',
      `set ${FLEET_CREDENTIALS} to a file outside the checkout, with \`url\` and \`token_env\` for each name`,
    );
  const { entries } = fleet;
  const used = new Set(entries.map(entry => entry.credentials));
  const isForMany = (name: string): boolean => {
    const [first, ...more] = entries.filter(entry => entry.credentials === name);
    return first?.from !== undefined || more.length > 0;
  };
  const { credentials, diagnostics } = readCredentials(path, used, {
    cwd: io.cwd,
    env: io.env,
    fleet: file,
    forMany: new Set([...used].filter(isForMany)),
    onSecret: value => io.secrets.add(value),
  });
  printFindings(diagnostics, io);
  stopOnErrors(diagnostics);
  return credentials;
}

async function tenantsOf(
  entry: DiscoveredEntry,
  {
    kinds,
    flags,
    credentials,
  }: {
    readonly kinds: KindTable;
    readonly flags: FleetFlags;
    readonly credentials: ReadonlyMap<string, Credential>;
  },
  io: Io,
): Promise<readonly Tenant[]> {
  const kind = present(sourceOf(entry, kinds), `a kind for ${entry.from}`);
  const credential = present(credentials.get(entry.credentials), 'the credentials of an entry');
  return withConnection(connectTo(credential, flags), {}, ioOf(credential, io), connection =>
    tenantsBehind(readTransport(connection), kind),
  );
}

/**
 * The address of an account's server in a uniform notation, from the credentials; undefined if they
 * have no entry for the account.
 */
export function serverOf(
  { credentials: name }: Pick<FleetAccount, 'credentials'>,
  { credentials }: Pick<OpenFleet, 'credentials'>,
): string | undefined {
  const url = credentials.get(name)?.url;
  return url === undefined ? undefined : (serverAddress(url) ?? url);
}

/** The flags that connect with a credential. */
export const connectTo = (
  { url, formerUrl, token, caFile }: Credential,
  { timeout }: Pick<FleetFlags, 'timeout'>,
) => ({
  url,
  token,
  timeout,
  ...(formerUrl !== undefined && { formerUrl }),
  ...(caFile !== undefined && { caFile }),
});

/**
 * The effects of a run with a credential. No environment variable can change the address of the
 * run.
 */
export const ioOf = ({ url, token, env }: Credential, io: Io): Io => ({
  ...io,
  env: { ...io.env, MESHFORM_URL: url, MESHFORM_TOKEN: token },
  fileEnv: env,
});

/**
 * The accounts that flags name; all accounts without such flags. Throws a `Stop` for a name that
 * matches no account, because the user would believe that the account was included.
 */
export function chosen(
  accounts: readonly FleetAccount[],
  { account: patterns }: Pick<FleetFlags, 'account'>,
): readonly FleetAccount[] {
  if (patterns === undefined) return accounts;
  const known = accounts.map(({ name }) => name);
  const matchers = patterns.map(text => ({ text, isMatch: globOf(text.split('*')) }));
  for (const { text, isMatch } of matchers)
    if (!known.some(isMatch)) {
      const hint = didYouMean(text, known) ?? '`meshform fleet list` shows all of them';
      throw new Stop(EXIT.usage, `the fleet has no account ${quoted(text)}`, hint);
    }
  return accounts.filter(({ name }) => matchers.some(({ isMatch }) => isMatch(name)));
}

/**
 * The findings about addresses in the files of an account. For a command that reads no credentials
 * and so cannot check whether the addresses match the account's entry.
 */
export function unjudgedAddresses(
  { file }: FleetFile,
  account: FleetAccount,
  io: Io,
): readonly Diagnostic[] {
  const projects = account.layers.map(layer => projectBefore(io, resolve(dirname(file), layer)));
  const named = projects.flatMap(project => [project, ...(project.others ?? [])]);
  const places = new Map(
    named.flatMap(({ url, urlAt }) =>
      url === undefined || urlAt === undefined ? [] : [[jsonLine({ ...urlAt }), urlAt] as const],
    ),
  );
  return sortedAndDistinct(
    [...places.values()].map(at => ({
      code: 'SERVER_DIFFERS',
      severity: 'warning',
      message: `whether \`url\` is the address of ${quoted(account.credentials)} is only known with the credentials: if it is another address, the account is not planned`,
      at,
      hint: 'remove it: the credentials of a fleet have the addresses',
    })),
  );
}

/** The name of a fleet: the name of its file, or of its folder. */
export const fleetName = ({ file }: Pick<FleetFile, 'file'>): string =>
  basename(file) === FLEET_FILE ? basename(dirname(file)) : basename(file);
