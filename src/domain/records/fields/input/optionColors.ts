// Colours of options: names in definitions, hexadecimal in values (developer-api.md 3.1). The console draws options by them as well.
export const palette = {
  gray: "9AA0A6",
  brown: "8D6E63",
  orange: "F2994A",
  yellow: "F2C94C",
  green: "27AE60",
  blue: "2F80ED",
  purple: "9B51E0",
  pink: "EB5FA6",
  red: "EB5757"
} as const
export type Color = keyof typeof palette
