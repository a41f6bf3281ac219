#!/usr/bin/env node
// Starts meshform on a Node that can run it: this one, or the one that the checkout brings along.
// Written so that any Node can parse it: on an old one a person must get a sentence, not a stack trace.

const NEEDED = 24;
const root = new URL('..', import.meta.url);

if (Number(process.versions.node.split('.')[0]) < NEEDED) void startElsewhere();
else if (!isVersionTold()) start();

// Scripts ask for the version alone, to see what is installed: nothing has to be loaded for it.
function isVersionTold() {
  if (process.argv.length !== 3 || process.argv[2] !== '--version') return false;
  const { readFileSync, writeSync } = process.getBuiltinModule('node:fs');
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  try {
    return writeSync(1, `${version}\n`) > 0;
  } catch {
    // The program knows what to do with a stream that takes nothing now.
    return false;
  }
}

function start() {
  if (isCacheForeign()) {
    refuseCache();
    return;
  }
  // An import of these would make a module of each first.
  const cache = cacheFolder();
  if (cache !== null) process.getBuiltinModule('node:module').enableCompileCache(cache);
  const built = new URL('dist/meshform.js', root);
  const isBuilt = process.getBuiltinModule('node:fs').existsSync(built);
  // Of what fails here Node tells by itself.
  void import(isBuilt ? built.href : new URL('src/cli/main.ts', root).href);
}

// The folder of compiled code, which Node runs without looking at it: nobody else may write there. The default of Node is a
// fixed name in the folder for temporary files, which all users share. Null if there is no such folder.
function cacheFolder() {
  const { existsSync, mkdirSync, realpathSync } = process.getBuiltinModule('node:fs');
  const { dirname, isAbsolute, join } = process.getBuiltinModule('node:path');
  const { LOCALAPPDATA: local = '', XDG_CACHE_HOME: chosen = '' } = process.env;
  try {
    const home = process.getBuiltinModule('node:os').homedir();
    const own = process.platform === 'win32' ? local : chosen;
    const folder = join(isAbsolute(own) ? own : join(home, '.cache'), 'meshform', 'compiled');
    if (!isAbsolute(folder) || !isSafe(folder)) return null;
    // One by one: of a folder that cannot be created, the recursive function of Node never returns.
    for (const one of [dirname(dirname(folder)), dirname(folder), folder])
      if (!existsSync(one)) mkdirSync(one, { mode: 0o700 });
    const isOurs = isPrivate(folder) && isSafe(folder) && isSafe(realpathSync(folder));
    return isOurs ? folder : null;
  } catch {
    return null;
  }
}

// Node uses the folder that the user has chosen from its start on, whatever is said here later.
function isCacheForeign() {
  const { NODE_COMPILE_CACHE: chosen = '', NODE_DISABLE_COMPILE_CACHE: disabled } = process.env;
  if (chosen === '' || disabled === '1') return false;
  const { existsSync, realpathSync } = process.getBuiltinModule('node:fs');
  const folder = process.getBuiltinModule('node:path').resolve(chosen);
  return !isSafe(folder) || (existsSync(folder) && !isSafe(realpathSync(folder)));
}

function refuseCache() {
  console.error(
    `Error: NODE_COMPILE_CACHE is ${JSON.stringify(process.env.NODE_COMPILE_CACHE)}, where another user can put code that would run as you`,
  );
  console.error('  hint: unset it: meshform keeps compiled code in a folder of your own');
  process.exitCode = 3;
}

// Whether nobody but this user and the administrator can put something else in the place of a path.
function isSafe(path) {
  const { lstatSync } = process.getBuiltinModule('node:fs');
  const { dirname } = process.getBuiltinModule('node:path');
  if (process.getuid === undefined) return true;
  for (let at = path; ; at = dirname(at)) {
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found !== undefined) {
      if (found.uid !== 0 && found.uid !== process.getuid()) return false;
      // In a folder with the sticky bit, others cannot rename what is ours.
      const isShared = (found.mode & 0o022) !== 0 && (found.mode & 0o1000) === 0;
      if (found.isDirectory() && isShared) return false;
    }
    if (at === dirname(at)) return true;
  }
}

function isPrivate(folder) {
  const found = process.getBuiltinModule('node:fs').lstatSync(folder);
  if (process.getuid === undefined) return found.isDirectory();
  const isOwn = found.uid === process.getuid() && (found.mode & 0o077) === 0;
  return found.isDirectory() && isOwn;
}

async function startElsewhere() {
  const { existsSync } = await import('node:fs');
  const { fileURLToPath } = await import('node:url');
  const { spawn } = await import('node:child_process');
  const brought = fileURLToPath(new URL('node_modules/node/bin/node', root));
  if (!existsSync(brought)) {
    tooOld();
    return;
  }
  const child = spawn(brought, [fileURLToPath(import.meta.url)].concat(process.argv.slice(2)), {
    stdio: 'inherit',
  });
  // A terminal sends its interrupt to both processes; everything else reaches only this one.
  const forwarded = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT'];
  for (const signal of forwarded) process.on(signal, () => child.kill(signal));
  if (process.stdin.isTTY) process.on('SIGINT', () => {});
  child.on('error', tooOld);
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of forwarded.concat('SIGINT')) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

function tooOld() {
  console.error(`meshform needs Node.js ${NEEDED} or newer; this is ${process.version}.`);
  process.exit(69);
}
