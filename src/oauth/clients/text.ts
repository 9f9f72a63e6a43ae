// Names that clients give themselves are shown to people: no control, bidirectional or invisible formatting characters (O8).

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
const unshowable = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

export const showable = (text: string): string => text.toWellFormed().replace(unshowable, "").trim()
