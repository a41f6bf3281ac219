// How a bad file is written down, and small files that are good but for a part of them.
import type { Row } from '../row.ts';

export type Said = readonly [title: string, text: string | Uint8Array, says: string, help: string];

/** Rows of one file each, which is found bad offline. */
export const inFile =
  (more: Partial<Row> = {}) =>
  ([title, text, says, help]: Said): Row => ({
    title,
    files: { 'net/a.yaml': text },
    argv: ['validate', 'net'],
    code: 3,
    says,
    help,
    ...more,
  });

export const GROUPS = 'groups: [{ name: a }, { name: b }]\n';
export const policy = (rule: string, more = ''): string =>
  `${GROUPS}policies:\n  - { name: p, rules: [{ ${rule} }]${more} }\n`;
export const WEB = 'name: r, sources: [a], destinations: [b], protocol: tcp, ports: ["80"]';
export const resource = (fields: string): string =>
  `${GROUPS}networks: [{ name: n, resources: [{ name: r, ${fields} }] }]\n`;
export const router = (fields: string): string =>
  `networks: [{ name: n, routers: [{ ${fields} }] }]\n`;
export const route = (fields: string): string =>
  `${GROUPS}routes: [{ network_id: r, description: d, groups: [a], peer_groups: [b], masquerade: true, metric: 9, ${fields} }]\n`;
export const check = (checks: string): string =>
  `posture_checks: [{ name: c, checks: { ${checks} } }]\n`;
export const channel = (fields: string): string => `notification_channels: [{ ${fields} }]\n`;
export const group = (fields: string): string => `groups: [{ name: a, ${fields} }]\n`;
