// The two resources a token works at (service.md 4.1, 9; decisions O3). Clients add a slash on the way; nothing else is forgiven.

export interface Origins {
  readonly baseUrl: string
  readonly mcpUrl: string
}

export const resourcesOf = ({ baseUrl, mcpUrl }: Origins) => [`${baseUrl}/v1`, `${mcpUrl}/mcp`] as const

export const isResource = (text: string, origins: Origins): boolean =>
  (resourcesOf(origins) as ReadonlyArray<string>).includes(text.endsWith("/") ? text.slice(0, -1) : text)
