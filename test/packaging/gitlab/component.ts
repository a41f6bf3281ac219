// Runs the scripts of the GitLab component in a shell, with stand-ins for the programs that they start.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const TEMPLATE = new URL('../../../templates/meshform.yml', import.meta.url);
const [HEADER = '', TEXT = ''] = readFileSync(TEMPLATE, 'utf8').split('\n---\n');

interface Input {
  readonly default?: string | boolean;
  readonly regex?: string;
}

/** The declared inputs by name. */
export const INPUTS: Readonly<Record<string, Input>> = parse(HEADER).spec.inputs;

type Given = Readonly<Record<string, string>>;

interface Job {
  readonly script?: readonly string[];
}

/** The jobs with these inputs, put into the text as GitLab does. */
export function jobsWith(inputs: Given = {}): Readonly<Record<string, Job>> {
  const text = TEXT.replaceAll(/\$\[\[ inputs\.([a-z-]+) \]\]/g, (_, name: string) =>
    String(inputs[name] ?? INPUTS[name]?.default ?? ''),
  );
  const [document] = parseAllDocuments(text);
  return Object((document as { toJS: () => unknown }).toJS());
}

/** The script of a job. */
export const scriptOf = (job: string, inputs: Given = {}): string =>
  (jobsWith(inputs)[job]?.script ?? []).join('\n');

/** The shells of this machine in which a runner may start a script. */
export const SHELLS = ['sh', 'bash', 'dash'].filter(
  shell => spawnSync(shell, ['-c', ':']).status === 0,
);

/** Where a shell is: it is started with any PATH. */
const locate = (shell: string) =>
  spawnSync('sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' }).stdout.trim();

/** A checkout with stand-ins for programs, and the job that runs in it. */
export function newProject(shell = 'sh') {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (...path: string[]) => join(folder, ...path);
  for (const name of ['bin', 'temporary', 'checkout']) mkdirSync(at(name));
  const program = (name: string, text: string) => {
    writeFileSync(at('bin', name), `#!/bin/sh\n${text}\n`);
    chmodSync(at('bin', name), 0o755);
  };
  program('git', 'exit 0');
  return {
    at,
    program,
    /** Runs the script of a job to its end. */
    run: (job: string, inputs: Given = {}, variables: Given = {}) =>
      spawnSync(
        locate(shell),
        ['-euc', scriptOf(job, { url: 'https://api.example.com', ...inputs })],
        {
          cwd: at('checkout'),
          encoding: 'utf8',
          env: {
            PATH: `${at('bin')}:${process.env.PATH}`,
            TMPDIR: at('temporary'),
            CI_JOB_ID: '17',
            CI_API_V4_URL: 'https://gitlab.example.com/api/v4',
            CI_PROJECT_ID: '5',
            CI_MERGE_REQUEST_IID: '3',
            CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD',
            MESHFORM_READER: 'nbp_reader',
            MESHFORM_WRITER: 'nbp_writer',
            MESHFORM_NOTES_TOKEN: '',
            ...variables,
          },
        },
      ),
    /** The files in the folder of the artifacts. */
    kept: () => readdirSync(at('checkout/meshform-17')).sort(),
    text: (name: string) => readFileSync(at('checkout/meshform-17', name), 'utf8'),
  };
}
