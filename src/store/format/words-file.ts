/** File with word counts derived from the rows of the tables. Anything that changes tables in other ways than by writing removes it. */
export const WORDS_FILE = 'words.txt';
