// The accounts of a fleet: those that its file names, and those that its tokens reach.
import type { DiagnosticCode } from '../model/codes.ts';
import type { Diagnostic, Span } from '../model/diagnostic.ts';
import type { FleetAccount, Tenant } from '../model/fleet.ts';
import { compareTexts } from '../model/text/compareTexts.ts';
import { globOf } from '../model/text/glob.ts';
import { didYouMean } from '../model/text/nearest.ts';
import { quoted } from '../model/text/visible.ts';
import type { DiscoveredEntry, Fleet, FleetEntry, StaticEntry } from './fleetFile.ts';

/** The inputs besides the fleet file. */
export interface FleetInputs {
  /** The accounts that the token of an entry reaches. */
  readonly tenants: ReadonlyMap<DiscoveredEntry, readonly Tenant[]>;
  /** The fields of the objects that represent accounts, by `from` of an entry. Absent if they are unknown. */
  readonly fieldsOf?: (from: string) => readonly string[];
  /** Whether a folder or file exists; its path is relative to the folder of the fleet file. */
  readonly isThere: (layer: string) => boolean;
  /** Why a layer cannot be used, in words that follow "the layer … ". Absent if that is not known. */
  readonly layerFault?: (
    layer: string,
  ) => { readonly why: string; readonly hint: string } | undefined;
}

/** The accounts in the order of their names, or the faults for which there are none. */
export interface ResolvedAccounts {
  readonly accounts: readonly FleetAccount[];
  readonly diagnostics: readonly Diagnostic[];
}

/** An entry for one account. */
interface Candidate {
  readonly entry: FleetEntry;
  readonly name: string;
  readonly tenant?: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * All accounts. An entry and a discovered account with the same token and id are one account, with the settings of the entry.
 */
export function resolveAccounts(fleet: Fleet, around: FleetInputs): ResolvedAccounts {
  const named = fleet.entries.filter(entry => entry.from === undefined).map(candidateOf);
  const known = new Map(named.map(one => [tenantKey(one), one]));
  const found = fleet.entries
    .filter(entry => entry.from !== undefined)
    .flatMap(entry => (around.tenants.get(entry) ?? []).flatMap(one => reached(entry, one)));
  const merged = new Map<Candidate, Candidate>();
  const others: Candidate[] = [];
  for (const one of found) {
    const own = known.get(tenantKey(one));
    if (own === undefined) others.push(one);
    else merged.set(own, one);
  }
  const { usable, faulty } = apart([...named, ...others]);
  const all = usable;
  const diagnostics = [
    ...fleet.entries.flatMap(entry => badMatch(entry, around)),
    ...fleet.entries.flatMap(entry => unknownFields(entry, around)),
    ...all.flatMap(badName),
    ...sameNames(all, faulty.map(underItsId)),
    ...sameTenants(all),
    ...fleet.entries.flatMap(entry => withoutTenant(entry, fleet.entries)),
    ...all.flatMap(unknownReferences),
    ...all.flatMap(badLayers),
  ];
  if (diagnostics.length > 0) return { accounts: [], diagnostics };
  const uses = usesOf(all);
  const accounts = all.map(one => accountOf(one, merged.get(one), { ...around, uses }));
  const missing = accounts.flatMap(({ diagnostic }) => diagnostic ?? []);
  return {
    accounts: [...accounts.map(({ account }) => account), ...faulty.map(faultyAccount)].toSorted(
      (one, other) => compareTexts(one.name, other.name),
    ),
    diagnostics: missing,
  };
}

/** A discovered account with a name or fields that cannot be used. */
interface Faulty {
  readonly one: Candidate;
  readonly tenant: string;
  readonly fault: Diagnostic;
}

// Separates accounts with a faulty name, so that an unusable or duplicate name of a customer does not stop the rest of the fleet.
// A fault in the name of an entry stops the run, because the author of the file wrote that name.
function apart(all: readonly Candidate[]): {
  readonly usable: readonly Candidate[];
  readonly faulty: readonly Faulty[];
} {
  const bearers = Map.groupBy(all, ({ name }) => comparable(name));
  const byTenant = new Map(all.map(one => [one.tenant, one]));
  const faulty = all.flatMap((one): readonly Faulty[] => {
    const { entry, tenant } = one;
    const others = (bearers.get(comparable(one.name)) ?? []).filter(isOtherThan(one));
    const listed = [byTenant.get(one.name) ?? one].filter(isOtherThan(one));
    const same = [...others, ...listed].length > 0 ? [sharedName([one, ...others, ...listed])] : [];
    const fault = [...badName(one), ...badLayers(one), ...same].at(0);
    const isListed = entry.from !== undefined && tenant !== undefined && isComponent(tenant);
    return fault && isListed ? [{ one, tenant, fault }] : [];
  });
  const out = new Set(faulty.map(({ one }) => one));
  return { usable: all.filter(one => !out.has(one)), faulty };
}

const isOtherThan =
  (one: Candidate) =>
  (other: Candidate): boolean =>
    tenantKey(other) !== tenantKey(one);

const underItsId = ({ one, tenant }: Faulty): Candidate => ({ ...one, name: tenant });

const faultyAccount = ({ one: { entry }, tenant, fault }: Faulty): FleetAccount => ({
  name: tenant,
  credentials: entry.credentials,
  layers: [],
  sharedLayers: [],
  absentLayers: [],
  hasNoFiles: true,
  labels: {},
  vars: {},
  tenant,
  at: entry.at,
  fault,
});

/**
 * For each entry whose accounts are unknown without a server, one placeholder for all of them. It has the layers without a
 * reference, and a name that no account has. Variables that depend on the account keep the text of the file.
 */
export function sharedAccounts(
  fleet: Fleet,
  { tenants, isThere, layerFault }: Pick<FleetInputs, 'tenants' | 'isThere' | 'layerFault'>,
): readonly FleetAccount[] {
  return fleet.entries.flatMap(entry => {
    if (entry.from === undefined || (tenants.get(entry) ?? []).length > 0) return [];
    const layers = entry.layers.filter(layer => !layer.includes('${') && isThere(layer));
    const name = `every account of ${entry.from}`;
    // The name of an account is always one component of the path, so a placeholder gives a path of the same depth.
    const written = entry.layers.map(layer => layer.replaceAll(ANY_REFERENCE, 'account'));
    const fault = faultOfLayers(written, { name, at: entry.at, layerFault });
    if (layers.length === 0 && !fault) return [];
    const { credentials, labels, vars, at } = entry;
    const shared = { sharedLayers: layers, absentLayers: [], hasNoFiles: true };
    return [{ name, credentials, layers, ...shared, labels, vars, at, ...(fault && { fault }) }];
  });
}

function faultOfLayers(
  layers: readonly string[],
  {
    name,
    at,
    layerFault,
  }: {
    readonly name: string;
    readonly at: Span;
    readonly layerFault: FleetInputs['layerFault'] | undefined;
  },
): Diagnostic | undefined {
  const [first] = layers.flatMap(layer => {
    const found = layerFault?.(layer);
    if (found === undefined) return [];
    const message = `the layer ${quoted(layer)} of the account ${quoted(name)} ${found.why}`;
    return fault('FLEET_LAYER', at, { message, hint: found.hint });
  });
  return first;
}

/** How many accounts have each layer. */
function usesOf(all: readonly Candidate[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const one of all)
    for (const layer of new Set(one.entry.layers.map(text => filled(one, text))))
      uses.set(layer, (uses.get(layer) ?? 0) + 1);
  return uses;
}

function candidateOf(entry: StaticEntry): Candidate {
  const { name, tenant } = entry;
  return { entry, name, ...(tenant !== undefined && { tenant }), fields: {} };
}

function reached(entry: DiscoveredEntry, tenant: Tenant): readonly Candidate[] {
  const isMatch = Object.entries(entry.match).every(([field, pattern]) =>
    globOf(pattern.split('*'))(tenant.fields[field] ?? ''),
  );
  const { id, name, fields } = tenant;
  return isMatch ? [{ entry, name, tenant: id, fields }] : [];
}

// The errors for fields in `match` that no account has. Such a field is absent everywhere, so `*` would match every account, and
// any other pattern none.
function badMatch(
  entry: FleetEntry,
  { tenants, fieldsOf }: Pick<FleetInputs, 'tenants' | 'fieldsOf'>,
): Diagnostic[] {
  if (entry.from === undefined || fieldsOf === undefined) return [];
  const listed = (tenants.get(entry) ?? []).flatMap(({ fields }) => Object.keys(fields));
  const known = [...new Set([...fieldsOf(entry.from), ...listed])];
  // If `from` is wrong, no fields are known; the wrong `from` is reported on its own.
  if (known.length === 0) return [];
  return Object.keys(entry.match)
    .filter(field => !known.includes(field))
    .map(field =>
      fault('FLEET_INVALID', entry.matchAt, {
        message: `${quoted(field)} of \`match\` is not a field of ${quoted(entry.from)}`,
        hint: didYouMean(field, known) ?? `use ${known.map(quoted).join(', ')}`,
      }),
    );
}

const tenantKey = ({ entry, name, tenant }: Candidate): string =>
  JSON.stringify(tenant === undefined ? [name] : [entry.credentials, tenant]);

/** Names that cannot be one component of a path, or that would be hidden. */
const NO_COMPONENT = /^$|^\.|[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The longest file name on common systems, with room for a suffix. */
const LONGEST = 200;

const isComponent = (name: string): boolean => !NO_COMPONENT.test(name) && name.length <= LONGEST;

const badName = ({ entry, name }: Candidate): Diagnostic[] =>
  isComponent(name)
    ? []
    : [
        fault('FLEET_NAME', entry.at, {
          message: `${quoted(name)} cannot be the name of an account of a fleet: it must be one component of a path`,
          hint: 'give the account a separate entry, with a `name` and its `tenant`',
        }),
      ];

// The form in which names are compared. Some file systems treat names that differ only in case or Unicode form as one file, and
// people cannot see the difference between Unicode forms.
const comparable = (name: string): string => name.normalize('NFC').toLowerCase();

// Accounts that are listed under their ids have no files, so the comparison of ids is case-sensitive.
function sameNames(usable: readonly Candidate[], underIds: readonly Candidate[]): Diagnostic[] {
  const byName = Map.groupBy(usable, ({ name }) => comparable(name));
  const keyOf = ({ name }: Candidate) => (byName.has(comparable(name)) ? comparable(name) : name);
  return [...Map.groupBy([...usable, ...underIds], keyOf).values()].flatMap(([one, ...others]) =>
    one === undefined ? [] : others.map(other => sharedName([one, ...others], other)),
  );
}

// The fault of several accounts with the same name.
const sharedName = (
  all: readonly [Candidate, ...(readonly Candidate[])],
  { entry }: Candidate = all[0],
): Diagnostic =>
  fault('FLEET_DUPLICATE', entry.at, {
    message: `${all.length} accounts of the fleet are called ${quoted(all[0].name)}${ids(all)}`,
    hint: 'give each account a separate entry, with a `name` and its `tenant`',
  });

// Errors for two entries for one account. Each entry would have a separate plan and place in the rollout, and each apply would
// undo the declarations of the other entry.
function sameTenants(all: readonly Candidate[]): Diagnostic[] {
  const byTenant = Map.groupBy(
    all.filter(({ tenant }) => tenant !== undefined),
    tenantKey,
  );
  return [...byTenant.values()].flatMap(([one, ...others]) =>
    others
      .filter(({ name }) => comparable(name) !== comparable(one?.name ?? ''))
      .map(other =>
        fault('FLEET_DUPLICATE', other.entry.at, {
          message: `${quoted(one?.name ?? '')} and ${quoted(other.name)} are the same account: the tenant ${quoted(other.tenant ?? '')} of the credentials ${quoted(other.entry.credentials)}`,
          hint: 'keep one of the two entries',
        }),
      ),
  );
}

// Errors for an entry without a tenant. The entry would mean the provider's own account, and the author has probably only
// forgotten the line.
function withoutTenant(entry: FleetEntry, all: readonly FleetEntry[]): Diagnostic[] {
  if (entry.from !== undefined || entry.tenant !== undefined || entry.account !== undefined)
    return [];
  const isForMany = all.some(
    other =>
      other.credentials === entry.credentials &&
      (other.from !== undefined || other.tenant !== undefined),
  );
  if (!isForMany) return [];
  return [
    fault('FLEET_INVALID', entry.at, {
      message: `${quoted(entry.name)} has no \`tenant\`, and the token of ${quoted(entry.credentials)} can access several accounts`,
      hint: 'set `tenant`; if the entry is the account of the token itself, set `account` to the id of that account instead',
    }),
  ];
}

function ids(all: readonly Candidate[]): string {
  const known = all.flatMap(({ tenant }) => tenant ?? []);
  return known.length > 0 ? ` (${known.map(quoted).join(', ')})` : '';
}

/** `${account.name}`, or `${account.tenant.` and a field. */
const REFERENCE = /\$\{account\.([A-Za-z_.]+)\}/g;

const ANY_REFERENCE = /\$\{[^}]*\}/g;

function valueAt({ name, fields, tenant }: Candidate, word: string): string | undefined {
  if (word === 'name') return name;
  if (tenant === undefined || !word.startsWith('tenant.')) return undefined;
  const field = word.slice('tenant.'.length);
  return field === 'id' ? tenant : fields[field];
}

const filled = (one: Candidate, text: string): string =>
  text.replaceAll(REFERENCE, (_, word: string) => valueAt(one, word) ?? '');

function unknownReferences(one: Candidate): Diagnostic[] {
  const { entry, name } = one;
  const texts = [...entry.layers, ...Object.values(entry.labels), ...Object.values(entry.vars)];
  const unknown = texts.flatMap(text =>
    [...text.matchAll(ANY_REFERENCE)].flatMap(([reference]) => {
      const [, word] = /^\$\{account\.([A-Za-z_.]+)\}$/.exec(reference) ?? [];
      return word !== undefined && valueAt(one, word) !== undefined ? [] : [reference];
    }),
  );
  return [...new Set(unknown)].map(reference =>
    fault('FLEET_INVALID', entry.at, {
      message: `${quoted(reference)} has no value for the account ${quoted(name)}`,
      hint: 'use ${account.name}, or for a discovered account ${account.tenant.FIELD}',
    }),
  );
}

// If no account of an entry is known, its references have no values, so only the names of their fields can be checked.
function unknownFields(
  entry: FleetEntry,
  { tenants, fieldsOf }: Pick<FleetInputs, 'tenants' | 'fieldsOf'>,
): Diagnostic[] {
  if (entry.from === undefined || fieldsOf === undefined) return [];
  if ((tenants.get(entry) ?? []).length > 0) return [];
  const fields = Object.fromEntries(fieldsOf(entry.from).map(field => [field, '']));
  if (Object.keys(fields).length === 0) return [];
  return unknownReferences({ entry, name: `every account of ${entry.from}`, tenant: '', fields });
}

function badLayers(one: Candidate): Diagnostic[] {
  const { entry, name } = one;
  const outside = entry.layers.filter(layer =>
    [...layer.matchAll(REFERENCE)].some(([, word = '']) =>
      NO_COMPONENT.test(valueAt(one, word) ?? 'absent'),
    ),
  );
  return outside.map(layer =>
    fault('FLEET_NAME', entry.at, {
      message: `in the layer ${quoted(layer)}, a reference has a value for the account ${quoted(name)} that cannot be one component of a path`,
      hint: 'use ${account.name} in layers',
    }),
  );
}

function accountOf(
  one: Candidate,
  discovered: Candidate | undefined,
  {
    isThere,
    layerFault,
    uses,
  }: Pick<FleetInputs, 'isThere' | 'layerFault'> & { readonly uses: ReadonlyMap<string, number> },
): { readonly account: FleetAccount; readonly diagnostic?: Diagnostic } {
  const { entry, name, tenant } = one;
  const layers = entry.layers.map(layer => filled(one, layer));
  const there = layers.filter(isThere);
  const absent = layers.filter(layer => !isThere(layer));
  const isShared = (layer: string): boolean =>
    (uses.get(layer) ?? 0) > 1 || (entry.from !== undefined && entry.layers.includes(layer));
  const all = (which: 'labels' | 'vars'): Record<string, string> => ({
    ...(discovered && texts(discovered, discovered.entry[which])),
    ...texts(one, entry[which]),
  });
  const account: FleetAccount = {
    name,
    credentials: entry.credentials,
    layers,
    sharedLayers: there.filter(isShared),
    absentLayers: absent,
    hasNoFiles: there.every(isShared),
    labels: all('labels'),
    vars: all('vars'),
    ...(tenant !== undefined && { tenant }),
    ...(entry.from === undefined && entry.account !== undefined && { account: entry.account }),
    at: entry.at,
  };
  // An unusable layer fails only this account: a customer who writes its files may have made the link.
  const unusable = faultOfLayers(layers, { name, at: entry.at, layerFault });
  if (unusable) return { account: { ...account, fault: unusable } };
  // A discovered customer needs no folder. The author of a static entry knows which folders it has, so a missing one is a fault.
  const [first] = entry.from === undefined ? absent : [];
  if (first === undefined) return { account };
  return {
    account,
    diagnostic: fault('FLEET_LAYER', entry.at, {
      message: `there is no layer ${quoted(first)} for the account ${quoted(name)}`,
      hint: 'create the folder, or remove it from `layers`',
    }),
  };
}

const texts = (one: Candidate, written: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(written).map(([key, text]) => [key, filled(one, text)]));

const fault = (
  code: DiagnosticCode,
  at: Span,
  { message, hint }: { readonly message: string; readonly hint: string },
): Diagnostic => ({ code, severity: 'error', message, at, hint });
