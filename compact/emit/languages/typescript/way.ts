%% include ../javascript/way.mjs
