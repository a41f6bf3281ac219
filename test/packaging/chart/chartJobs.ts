// The CronJobs that the chart renders, as far as the tests look at them.
import assert from 'node:assert/strict';
import { parseAllDocuments } from 'yaml';
import type { Values } from './chartValues.ts';

export interface Container {
  readonly args: readonly string[];
  readonly command?: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly securityContext: unknown;
  readonly volumeMounts: readonly { name: string; mountPath: string; readOnly?: boolean }[];
}

export interface CronJob {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly concurrencyPolicy: string;
    readonly jobTemplate: {
      readonly spec: {
        readonly backoffLimit: number;
        readonly template: {
          readonly spec: {
            readonly automountServiceAccountToken: boolean;
            readonly restartPolicy: string;
            readonly securityContext: {
              readonly runAsNonRoot: boolean;
              readonly runAsUser: number;
              readonly runAsGroup: number;
            };
            readonly initContainers?: readonly Container[];
            readonly containers: readonly [Container];
            readonly volumes: readonly {
              readonly name: string;
              readonly [source: string]: unknown;
            }[];
          };
        };
      };
    };
  };
}

/** What `helm template` printed, by name. */
export function jobsIn(text: string): readonly CronJob[] {
  const jobs: readonly CronJob[] = parseAllDocuments(text).flatMap(one => {
    assert.deepEqual(one.errors, []);
    return one.toJS() ?? [];
  });
  for (const { kind } of jobs) assert.equal(kind, 'CronJob');
  return jobs.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Values as flags of helm. */
export const flags = (values: Values): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => [
    typeof value === 'string' ? '--set-string' : '--set',
    `${name}=${String(value).replaceAll(',', '\\,')}`,
  ]);

/** A text of a container as Kubernetes passes it on, where no variable has the name in a `$(NAME)`. */
export const expanded = (text: string): string => text.replaceAll('$$', '$');

/** Whether Kubernetes would put the value of a variable into the text. */
export const isExpanded = (text: string): boolean => /\$\(/.test(text.replaceAll('$$', ''));
