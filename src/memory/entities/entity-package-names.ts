/** Libraries with names like files or members, which no rule can distinguish. */
const LIBRARIES: ReadonlySet<string> = new Set(
  `
alpine.js angular.js babylon.js backbone.js big.js bignumber.js bn.js chart.js d3.js day.js decimal.js discord.js ember.js ethers.js express.js
fabric.js fuse.js gulp.js handlebars.js highlight.js hls.js jquery.js knex.js konva.js leaflet.js lodash.js lunr.js matter.js mermaid.js
meteor.js moment.js mustache.js nest.js next.js node.js nuxt.js p5.js paper.js pdf.js phaser.js pixi.js preact.js prism.js protobuf.js quill.js
react.js require.js reveal.js sequelize.js socket.io solid.js sql.js svelte.js tensorflow.js tesseract.js three.js tone.js transformers.js
turf.js underscore.js video.js vue.js web3.js xterm.js zone.js
`
    .trim()
    .split(/\s+/),
);

/** `@scope/name` of npm. */
export const SCOPED_PACKAGE = /^@[^\s@/\\]+\/[^\s@/\\]+$/;
/** Go modules are named by their host. */
const GO_MODULE =
  /^(?:github|gitlab|bitbucket|codeberg|gitea)\.(?:com|org)\/[\w.-]+\/[\w.-]+$|^(?:golang\.org|go\.uber\.org|gopkg\.in|google\.golang\.org|k8s\.io|gorm\.io)\/[\w.-]+(?:\/[\w.-]+)?$/i;

/** Whether a file-like name is a library, in any case. */
export const isLibraryName = (name: string): boolean => name.includes('.') && LIBRARIES.has(name.toLowerCase());
/** Whether a name is a Go module on a common host. */
export const isGoModule = (name: string): boolean => GO_MODULE.test(name);

/** In lower case: registries have no packages that differ only in case. */
export const canonicalPackage = (name: string): string => name.toLowerCase().normalize('NFC');
