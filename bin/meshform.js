#!/usr/bin/env node
// Starts meshform on a Node that can run it: this one, or the one that the checkout brings along.
// Written so that any Node can parse it: on an old one a person must get a sentence, not a stack trace.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const root = new URL('..', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
  const built = new URL('dist/cli/main.js', root);
  // Of what fails here Node tells by itself.
  void import(
    existsSync(fileURLToPath(built)) ? built.href : new URL('src/cli/main.ts', root).href
  );
} else {
  const brought = fileURLToPath(new URL('node_modules/node/bin/node', root));
  if (existsSync(brought)) runOn(brought);
  else tooOld();
}

function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url)].concat(process.argv.slice(2)), {
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
