// The settings of nested project files. A file in an inner folder may add guards and make limits stricter; it never
// loosens what a file above it has set.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { smaller, strictestOf, strictestOfAccess, strictestOfLayers } from '../../model/limits.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { Project, ProjectServer } from './project.ts';

/**
 * Joins the project files that apply to a folder, given from the nearest outwards, into one project. Guards are joined, the
 * stricter number counts, and the files must name the same account. For every other setting, the nearest file decides.
 */
export function joinProjects(projects: readonly Project[]): {
  project: Project;
  diagnostics: readonly Diagnostic[];
} {
  const [nearest, ...outer] = projects;
  if (nearest === undefined) return { project: {}, diagnostics: [] };
  return {
    project: outer.reduce(joined, nearest),
    diagnostics: otherAccounts(projects),
  };
}

function joined(inner: Project, outer: Project): Project {
  const protect = union(inner.protect, outer.protect);
  const guarded = union(inner.guarded, outer.guarded);
  const grants = union(inner.grants, outer.grants);
  const rate = smaller(inner.rate, outer.rate);
  const thresholds = strictestOf(inner.thresholds, outer.thresholds);
  const ofAccess = strictestOfAccess(inner.access_thresholds, outer.access_thresholds);
  const dialect = inner.dialect ?? outer.dialect;
  return {
    ...inner,
    ...account(inner, outer),
    ...servers(inner, outer),
    ...(dialect !== undefined && { dialect }),
    ...(rate !== undefined && { rate }),
    ...(protect && { protect: [...new Set(protect)] }),
    ...(guarded && { guarded }),
    ...(grants && { grants }),
    ...(thresholds && { thresholds }),
    ...(ofAccess && { access_thresholds: ofAccess }),
  };
}

/**
 * The project of a run with layers: the project of the last layer, with the guards of all layers.
 * Of several numbers, the smallest counts. A layer cannot loosen a guard of another layer.
 */
export function joinLayers(last: Project, others: readonly Project[]): Project {
  const all = [...others, last];
  const protect = all.flatMap(one => one.protect ?? []);
  const guarded = all.flatMap(one => one.guarded ?? []);
  const grants = all.flatMap(one => one.grants ?? []);
  const thresholds = strictestOfLayers(
    last.thresholds,
    others.map(one => one.thresholds),
  );
  const ofAccess = all.map(one => one.access_thresholds).reduce(strictestOfAccess);
  return {
    ...last,
    ...(protect.length > 0 && { protect: [...new Set(protect)] }),
    ...(guarded.length > 0 && { guarded }),
    ...(grants.length > 0 && { grants }),
    ...(thresholds && { thresholds }),
    ...(ofAccess && { access_thresholds: ofAccess }),
  };
}

function account(inner: Project, outer: Project): Pick<Project, 'account' | 'accountAt'> {
  const { account, accountAt } = inner.account === undefined ? outer : inner;
  return { ...(account !== undefined && { account }), ...(accountAt && { accountAt }) };
}

// The address of the run is known only when a command connects, so all addresses are kept.
function servers(inner: Project, outer: Project): ProjectServer & Pick<Project, 'others'> {
  if (outer.url === undefined) return {};
  const { url, urlAt } = outer;
  const server = { url, ...(urlAt && { urlAt }) };
  return inner.url === undefined ? server : { others: [...(inner.others ?? []), server] };
}

const union = <T>(one?: readonly T[], other?: readonly T[]): readonly T[] | undefined =>
  one && other ? [...one, ...other] : (one ?? other);

function otherAccounts(projects: readonly Project[]): Diagnostic[] {
  const named = projects.filter(project => project.account !== undefined);
  const outermost = named.at(-1);
  return named.flatMap(({ account = '', accountAt }) =>
    outermost && account !== outermost.account ? [differs(account, accountAt, outermost)] : [],
  );
}

function differs(
  account: string,
  at: Project['accountAt'],
  { account: outer = '', accountAt: outerAt }: Project,
): Diagnostic {
  return {
    code: 'PROJECT_ACCOUNTS_DIFFER',
    severity: 'error',
    message: `this file names the account ${quoted(account)}, but ${nameText(outerAt?.file ?? '')} above it names ${quoted(outer)}`,
    ...(at && { at }),
    hint: 'name the same account in both files, or remove `account` from the file above',
  };
}
