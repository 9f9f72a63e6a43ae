// Formats a duration in words.

/** `1.2 s`, `3 min 20 s`, `2 h 5 min`. */
export const duration = (millis: number): string => {
  if (millis < 1_000) return `${Math.round(millis)} ms`
  if (millis < 60_000) return `${(millis / 1000).toFixed(1)} s`
  const minutes = Math.floor(millis / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((millis % 60_000) / 1000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`
}
