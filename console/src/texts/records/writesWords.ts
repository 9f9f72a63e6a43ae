// Words of writes that are sent in the background.

export const sendWrite = {
  somebody: "Somebody"
} as const
