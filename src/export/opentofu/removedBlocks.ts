// The blocks that make OpenTofu and Terraform forget objects, and keep them in the account.

const HEAD = `# Put this in place of the resource blocks, and apply: the objects leave the state, and stay in the account.
`;

/** A configuration that removes these addresses from the state; empty without addresses. */
export function removedBlocks(addresses: readonly string[]): string {
  if (addresses.length === 0) return '';
  return [HEAD, ...addresses.map(block)].join('\n');
}

const block = (address: string): string => `removed {
  from = ${address}
  lifecycle { destroy = false }
}
`;
