/** Word counts of the tables, derived from their rows: whatever changes the tables otherwise than by writing removes it. */
export const WORDS_FILE = 'words.txt';
