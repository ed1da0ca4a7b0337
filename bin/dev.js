#!/usr/bin/env node
/// <reference types="node" />
// The same command line with the warnings of development; it runs what the last build left in dist/.
process.env.NODE_ENV = 'development';
require('./run.js');
