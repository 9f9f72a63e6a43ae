// Addresses of the service, whose base may end in slashes.

export const addressAt = (baseUrl: string, path: string): URL => new URL(baseUrl.replace(/\/+$/, "") + path)
