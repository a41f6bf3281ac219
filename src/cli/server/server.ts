// The server to which a command connects. The token is sent only to the server that its owner, a
// person or a pipeline, chooses. A pull request can change a project file. So a project file may
// confirm the address, but never chooses an address to which the user has not agreed.
import { sortedAndDistinct } from '../../model/byPosition.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { serverAddress } from '../../model/serverAddress.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { agreedOrStop } from './agreedServers.ts';

/** The settings of a project file that concern the server. */
export interface ServerUrl {
  readonly url?: string;
  readonly urlAt?: Span;
  /** Requests per minute. */
  readonly rate?: number;
  /** Other project files. They must name the same address, but are never used to choose it. */
  readonly others?: readonly ServerUrl[];
}

/**
 * The address of the server, from `--url` or MESHFORM_URL. If neither is set, the address comes from the project file, but only
 * if the user agrees to that server at a terminal or has agreed before. Throws a `Stop` if there is no address, or if a project
 * file names another address.
 */
export async function serverOrStop(
  flag: string | undefined,
  project: ServerUrl,
  io: Io,
): Promise<string> {
  const given = givenAddress(flag, io);
  const url = given === undefined ? await fromProject(project, io) : addressOrStop(given);
  const findings = otherAddresses(url, project);
  printFindings(findings, io);
  stopOnErrors(findings);
  return url;
}

/**
 * Asks now what `serverOrStop` would ask later, when no person is at the terminal. Throws a `Stop`
 * if the user does not agree.
 */
export async function askForServer(
  flag: string | undefined,
  project: ServerUrl,
  io: Io,
): Promise<void> {
  if (givenAddress(flag, io) !== undefined || project.url === undefined || !isAtTerminal(io))
    return;
  await serverOrStop(flag, project, io);
}

const givenAddress = (flag: string | undefined, { env }: Io): string | undefined =>
  flag ?? (env.MESHFORM_URL || undefined);

// Whether a person is at a terminal. A pipeline may have a terminal without a person.
const isAtTerminal = ({ ask, env }: Io): boolean =>
  ask !== null && ['', 'false', undefined].includes(env.CI);

/** The findings about project files that name another address than that of the run. */
export function otherAddresses(address: string, project: ServerUrl): Diagnostic[] {
  const url = serverAddress(address) ?? address;
  const differing = [project, ...(project.others ?? [])].filter(other => isOther(other, url));
  return sortedAndDistinct(differing.map(({ urlAt }) => otherAddress(url, urlAt)));
}

async function fromProject({ url, urlAt: at }: ServerUrl, io: Io): Promise<string> {
  const hint = 'set MESHFORM_URL, or add --url';
  if (url === undefined) throw new Stop(EXIT.usage, 'no server is configured', hint);
  if (!isAtTerminal(io) || at === undefined) {
    const message =
      'no server is configured: in a pipeline, or without a terminal, `url` in meshform.yaml is not enough';
    throw new Stop(
      EXIT.usage,
      message,
      `${hint}: a file must not decide which server receives the token`,
    );
  }
  const address = serverAddress(url);
  if (address === null)
    throw new Stop(EXIT.invalid, '`url` in meshform.yaml is not a web address', hint);
  await agreedOrStop({ address, at }, hint, io);
  say(io.stderr, `using ${nameText(address)}, which \`url\` in meshform.yaml names`);
  return address;
}

function addressOrStop(text: string): string {
  const address = serverAddress(text);
  if (address !== null) return address;
  const { search, hash } = URL.parse(text) ?? {};
  if (search || hash) {
    const message = 'the address of the server contains a query or a fragment';
    throw new Stop(
      EXIT.usage,
      message,
      'remove everything after `?` or `#`: https://api.example.com',
    );
  }
  const hint = 'such as https://api.example.com';
  // The part before an @ may contain a password.
  const shown = text.replace(/^.*@/s, '…@');
  throw new Stop(EXIT.usage, `${quoted(shown)} is not a web address`, hint);
}

const isOther = ({ url }: ServerUrl, address: string): boolean =>
  url !== undefined && serverAddress(url) !== address;

function otherAddress(url: string, at: Span | undefined): Diagnostic {
  return {
    code: 'SERVER_DIFFERS',
    severity: 'error',
    message: `\`url\` differs from the address of this run, ${nameText(url)}`,
    ...(at && { at }),
    hint: `set MESHFORM_URL or --url to the server of these files, or change \`url\` in meshform.yaml to ${nameText(url)}`,
  };
}
