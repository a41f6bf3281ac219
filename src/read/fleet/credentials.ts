// The credentials of a fleet: a file outside of the checkout, so that no change of the checkout decides where a token goes.
import { dirname, resolve, sep } from 'node:path';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/shippedChecks.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { schemaFindings } from '../../source/findings/findings.ts';
import { parseDocuments } from '../../source/yaml/document.ts';
import { type Environment, variableIn } from '../environment.ts';
import { readRegular } from '../files/fileText.ts';
import { realOf } from '../files/upwards.ts';
import { repositoryOf } from '../git/repository.ts';

/** The variable that names the file. */
export const FLEET_CREDENTIALS = 'MESHFORM_FLEET_CREDENTIALS';

/** Where an account is, and what its files may know. */
export interface Credential {
  readonly url: string;
  readonly token: string;
  /** The path of the file with the certificates of a private server. */
  readonly caFile?: string;
  /** What `${env:NAME}` may read. */
  readonly env: Environment;
}

/** The credentials by their names. With faults, those without a fault. */
export interface ReadCredentials {
  readonly credentials: ReadonlyMap<string, Credential>;
  readonly diagnostics: readonly Diagnostic[];
}

/** An entry as it is written. */
interface Written {
  readonly url: string;
  readonly token?: string;
  readonly token_env?: string;
  readonly token_file?: string;
  readonly ca_file?: string;
  readonly env?: readonly string[] | Readonly<Record<string, string>>;
}

/** What reading depends on. */
export interface CredentialsHost {
  readonly cwd: string;
  readonly env: Environment;
  /** The fleet file. */
  readonly fleet: string;
  /** Receives every secret. */
  readonly onSecret: (value: string) => void;
}

/** Reads the file at `path`, for the entries that are `used`. */
export function readCredentials(
  path: string,
  used: ReadonlySet<string>,
  host: CredentialsHost,
): ReadCredentials {
  const file = resolve(host.cwd, path);
  const none = new Map<string, Credential>();
  if (isInCheckout(file, host.fleet))
    return {
      credentials: none,
      diagnostics: [
        fault(
          `${quoted(path)} of ${FLEET_CREDENTIALS} is in the checkout of the fleet file`,
          'keep the file outside of the checkout: a pull request must not choose where tokens go',
        ),
      ],
    };
  const read = readRegular(file);
  if ('why' in read)
    return {
      credentials: none,
      diagnostics: [
        fault(
          `${quoted(path)} of ${FLEET_CREDENTIALS} cannot be read: ${read.why}`,
          'name a file that has, for each `credentials` of the fleet file, `url` and `token_env`',
        ),
      ],
    };
  const { documents, diagnostics } = parseDocuments({ file: path, text: read.text });
  const [document] = documents;
  if (!document || diagnostics.length > 0) return { credentials: none, diagnostics };
  const check = shippedSchemaCheck(shippedSchema('fleet-credentials.schema.json'));
  if (!check(document.value)) {
    const findings = schemaFindings(check.errors ?? [], document);
    return { credentials: none, diagnostics: findings };
  }
  const entries = document.value as unknown as Readonly<Record<string, Written>>;
  const found: Diagnostic[] = [];
  for (const name of used) {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (entry === undefined) {
      const message = `${quoted(path)} of ${FLEET_CREDENTIALS} has no entry ${quoted(name)}`;
      found.push(fault(message, 'add it with its `url` and `token_env`, or correct `credentials`'));
      continue;
    }
    const opened = open(entry, dirname(file), host);
    if ('why' in opened) {
      const at = document.keyAt([name]);
      const hint = 'a token is one line of ASCII letters, digits and signs';
      found.push({ ...fault(`the token of ${quoted(name)} ${opened.why}`, hint), at });
    } else none.set(name, opened);
  }
  return { credentials: none, diagnostics: found };
}

function isInCheckout(file: string, fleet: string): boolean {
  const root = repositoryOf(fleet)?.root;
  const home = realOf(root ?? dirname(fleet));
  return realOf(file).startsWith(`${home}${sep}`) || file.startsWith(`${home}${sep}`);
}

function open(
  { url, token, token_env, token_file, ca_file, env = [] }: Written,
  home: string,
  { env: all, onSecret }: CredentialsHost,
): Credential | { readonly why: string } {
  let text = token;
  if (token_env !== undefined) text = variableIn(all, token_env);
  if (token_file !== undefined) {
    const read = readRegular(resolve(home, token_file));
    if ('why' in read) return { why: `cannot be read from ${quoted(token_file)}: ${read.why}` };
    text = read.text;
  }
  const trimmed = text?.trim() ?? '';
  if (trimmed === '')
    return { why: token_env === undefined ? 'is empty' : `is not set: ${token_env}` };
  onSecret(trimmed);
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    return { why: 'contains a character that tokens cannot contain' };
  const readable = isNames(env)
    ? Object.fromEntries(env.map(name => [name, variableIn(all, name)]))
    : env;
  return {
    url: url.replace(/\/+$/, ''),
    token: trimmed,
    ...(ca_file !== undefined && { caFile: resolve(home, ca_file) }),
    env: readable,
  };
}

const isNames = (
  env: readonly string[] | Readonly<Record<string, string>>,
): env is readonly string[] => Array.isArray(env);

const fault = (message: string, hint: string): Diagnostic => ({
  code: 'FLEET_CREDENTIALS',
  severity: 'error',
  message,
  hint,
});
