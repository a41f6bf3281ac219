// `npm run test:packaging`: everything that meshform is delivered as, built and used as its users would. Without names all parts run.
import { type Bench, onBench } from './bench.ts';
import type { Part } from './part.ts';
import { PARTS } from './parts.ts';
import { getTool, missingTool, toolNames, toolPath } from './tools.ts';

const USAGE = `usage: npm run test:packaging -- [part...]        parts: ${Object.keys(PARTS).join(', ')}
       npm run test:packaging -- --get [tool...]  tools: ${toolNames.join(', ')}`;

const [first, ...rest] = process.argv.slice(2);
process.exitCode = first === '--get' ? get(rest) : await test(process.argv.slice(2));

/** Installs tools, or all of them. */
function get(names: readonly string[]): number {
  const wanted = names.length === 0 ? toolNames : names;
  if (!areKnown(wanted, toolNames)) return 64;
  const missing = wanted.filter(name => !getTool(name));
  for (const name of missing) console.error(`${name} could not be installed`);
  return missing.length === 0 ? 0 : 1;
}

async function test(names: readonly string[]): Promise<number> {
  const known = Object.keys(PARTS);
  if (!areKnown(names, known)) return 64;
  const results: boolean[] = [];
  const notRun: string[] = [];
  for (const [name, load] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const part = await load();
    results.push(...(await runPart(name, part)));
    notRun.push(...part.notRun.map(line => `${name}: ${line}`));
  }
  for (const line of notRun) console.log(`not run  ${line}`);
  const passed = results.filter(isPassed => isPassed).length;
  const seconds = Math.round(process.uptime());
  console.log(`packaging: ${passed} of ${results.length} steps passed in ${seconds} s`);
  return passed === results.length ? 0 : 1;
}

/** Whether each step passed. */
async function runPart(name: string, part: Part): Promise<readonly boolean[]> {
  console.log(`== ${name}`);
  const missing = part.tools.filter(tool => toolPath(tool) === undefined);
  for (const tool of missing) console.log(`FAILED   ${missingTool(tool)}`);
  if (missing.length > 0) return missing.map(() => false);
  return onBench(bench => runSteps(part, bench)).catch(error => [failed('prepare', error)]);
}

async function runSteps(part: Part, bench: Bench): Promise<readonly boolean[]> {
  const results: boolean[] = [];
  const opened = performance.now();
  const steps = Object.entries(await part.open(bench));
  console.log(`${secondsSince(opened)}  prepared`);
  for (const [name, step] of steps) {
    const start = performance.now();
    try {
      await step();
      console.log(`${secondsSince(start)}  ${name}`);
      results.push(true);
    } catch (error) {
      results.push(failed(name, error));
    }
  }
  return results;
}

function failed(name: string, error: unknown): false {
  const message = error instanceof Error ? error.message : String(error);
  console.log(`FAILED   ${name}\n${message.replaceAll(/^/gm, '         ')}`);
  return false;
}

function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(7);
}

function areKnown(names: readonly string[], known: readonly string[]): boolean {
  const unknown = names.filter(name => !known.includes(name));
  for (const name of unknown) console.error(`unknown: ${name}`);
  if (unknown.length > 0) console.error(USAGE);
  return unknown.length === 0;
}
