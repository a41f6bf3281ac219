// A worker: loads a file with so many objects, each with a fault, and counts what came of it.
import { parentPort, workerData } from 'node:worker_threads';
import { load } from '../support/files.ts';

const count = Number(workerData);
const lines = Array.from({ length: count }, (_, i) => `- { name: g${i}, nam: x }\n`);
const { desired, diagnostics } = load(`groups:\n${lines.join('')}`);

parentPort?.postMessage({
  isTooManyForACall: isTooManyForACall(),
  objects: desired.length,
  unknownFields: diagnostics.filter(({ code }) => code === 'SCHEMA_UNKNOWN_FIELD').length,
});

function isTooManyForACall(): boolean {
  try {
    Math.max(...lines.map(line => line.length));
    return false;
  } catch {
    return true;
  }
}
